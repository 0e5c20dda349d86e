package dev.counterpoint.bus.wire;

import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;

/// Fields of a message that this version does not know; they survive being read and written again.
public record UnknownFields(UnknownFieldSet set) {
    public static final UnknownFields NONE = new UnknownFields(UnknownFieldSet.getDefaultInstance());

    /// The unknown fields of a message without its proof: the writer of the new message proves it anew.
    public static UnknownFields of(Message message) {
        var set = message.getUnknownFields();
        return set.asMap().isEmpty()
                ? NONE
                : new UnknownFields(
                        set.toBuilder().clearField(ProvenMessage.PROOF).build());
    }
}
