package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// Body of a `SUMMARY`, sealed under the visible key of its nonce: a part of the safe summary, or a piece of one.
///
/// @param opensPart true when the text begins a new part
/// @param text to append to the part, spaces included
/// @param tier how it came about
public record SummarySentence(boolean opensPart, String text, SummaryTier tier) {
    public byte[] encode() {
        return new FieldWriter()
                .flag(1, opensPart)
                .text(2, text)
                .choice(3, tier)
                .toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static SummarySentence decode(byte[] bytes) {
        var in = new FieldReader(bytes);
        return new SummarySentence(in.flag(1), in.text(2), in.choice(3, SummaryTier.values(), SummaryTier.UNNAMED));
    }

    @Override
    public String toString() {
        return "Summary[opensPart=%s, %d characters, %s]".formatted(opensPart, text.length(), tier);
    }
}
