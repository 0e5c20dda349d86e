/// Protocol Buffers on the bus: the code that the build generates from `bus.proto`, and rules that it does not know.
@NullMarked
package dev.counterpoint.bus.wire;

import org.jspecify.annotations.NullMarked;
