package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// Body of a `SUMMARY_END`, sealed under the visible key of its nonce: the reasoning up to the frame's `message` is
/// summed up.
///
/// @param withheld true when there was reasoning but nothing about it could be shown
public record SummaryEnd(boolean withheld) {
    public byte[] encode() {
        return new FieldWriter().flag(1, withheld).toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static SummaryEnd decode(byte[] bytes) {
        return new SummaryEnd(new FieldReader(bytes).flag(1));
    }
}
