/// Protocol Buffers' wire format, read and written without generated code.
@NullMarked
package dev.counterpoint.bus.wire;

import org.jspecify.annotations.NullMarked;
