@NullMarked
package dev.counterpoint.bus.wire;

import org.jspecify.annotations.NullMarked;
