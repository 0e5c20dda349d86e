package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.BusProto;
import dev.counterpoint.bus.wire.Wire;

/// Body of a `SUMMARY`, sealed under the visible key of its nonce: a part of the safe summary, or a piece of one.
///
/// @param opensPart true when the text begins a new part
/// @param text to append to the part, spaces included
/// @param tier how it came about
public record SummarySentence(boolean opensPart, String text, SummaryTier tier) {
    public byte[] encode() {
        return BusProto.SummarySentence.newBuilder()
                .setOpensPart(Wire.flag(opensPart))
                .setTextBytes(Wire.text(text))
                .setTier(tier.number())
                .build()
                .toByteArray();
    }

    public static SummarySentence decode(byte[] bytes) {
        var in = Wire.parse(BusProto.SummarySentence.parser(), bytes);
        return new SummarySentence(
                in.getOpensPart() != 0,
                in.getText(),
                Wire.constant(in.getTier(), SummaryTier.values(), SummaryTier.UNNAMED));
    }

    @Override
    public String toString() {
        return "Summary[opensPart=%s, %d characters, %s]".formatted(opensPart, text.length(), tier);
    }
}
