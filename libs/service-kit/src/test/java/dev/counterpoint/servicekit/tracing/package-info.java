@NullMarked
package dev.counterpoint.servicekit.tracing;

import org.jspecify.annotations.NullMarked;
