package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;

/// Body of a `SUMMARY_END`, sealed under the visible key of its nonce: the reasoning up to the frame's `message` is
/// summed up.
///
/// @param withheld true when there was reasoning but nothing about it could be shown
public record SummaryEnd(boolean withheld) {
    public byte[] encode() {
        return BusProto.SummaryEnd.newBuilder()
                .setWithheld(Wire.flag(withheld))
                .build()
                .toByteArray();
    }

    public static SummaryEnd decode(byte[] bytes) {
        return new SummaryEnd(Wire.parse(BusProto.SummaryEnd.parser(), bytes).getWithheld() != 0);
    }
}
