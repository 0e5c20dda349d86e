@NullMarked
package dev.counterpoint.bus.tracing;

import org.jspecify.annotations.NullMarked;
