package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.wire.Fields;
import dev.counterpoint.bus.wire.MalformedMessageException;

/// Body of a `SUMMARY`, sealed under the visible key of its nonce: one sentence of the safe summary.
///
/// @param opensPart whether it begins a new part
/// @param text to append to the part, spaces included
public record Summary(boolean opensPart, String text) {
    public byte[] encode() {
        return new Fields.Writer().flag(1, opensPart).text(2, text).toBytes();
    }

    /// @throws MalformedMessageException for bytes that are no such body
    public static Summary decode(byte[] bytes) {
        var in = new Fields.Reader(bytes);
        boolean opens = false;
        var text = "";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> opens = in.flag();
                case 2 -> text = in.text();
                default -> in.skip();
            }
        }
        return new Summary(opens, text);
    }

    @Override
    public String toString() {
        return "Summary[opensPart=%s, %d characters]".formatted(opensPart, text.length());
    }
}
