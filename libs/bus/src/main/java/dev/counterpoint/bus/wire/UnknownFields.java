package dev.counterpoint.bus.wire;

import com.google.protobuf.UnknownFieldSet;

/// Fields of a message that this version does not know; they survive being read and written again.
public record UnknownFields(UnknownFieldSet set) {
    public static final UnknownFields NONE = new UnknownFields(UnknownFieldSet.getDefaultInstance());
}
