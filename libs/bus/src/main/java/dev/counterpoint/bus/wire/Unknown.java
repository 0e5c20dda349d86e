package dev.counterpoint.bus.wire;

import com.google.protobuf.UnknownFieldSet;

/// Fields of a message that this version does not know; they survive being read and written again.
public record Unknown(UnknownFieldSet set) {
    public static final Unknown NONE = new Unknown(UnknownFieldSet.getDefaultInstance());
}
