package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.FieldReader;
import dev.counterpoint.bus.wire.FieldWriter;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// Body of a `SUMMARY`, sealed under the visible key of its nonce: one sentence of the safe summary.
///
/// @param opensPart true when the sentence begins a new part
/// @param text to append to the part, spaces included
public record SummarySentence(boolean opensPart, String text) {
    public byte[] encode() {
        return new FieldWriter().flag(1, opensPart).text(2, text).toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static SummarySentence decode(byte[] bytes) {
        var in = new FieldReader(bytes);
        return new SummarySentence(in.flag(1), in.text(2));
    }

    @Override
    public String toString() {
        return "Summary[opensPart=%s, %d characters]".formatted(opensPart, text.length());
    }
}
