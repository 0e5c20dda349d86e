package dev.counterpoint.bus.wire;

import java.util.function.Function;

/// A message whose bytes are checked in.
record MessageGolden(String name, Object message, byte[] bytes, Function<byte[], ?> decoder) {
    @Override
    public String toString() {
        return name;
    }
}
