package dev.counterpoint.harmony.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decodes UTF-8 as Unicode recommends and the references do: one U+FFFD for each maximal part of a malformed sequence.
///
/// Java differs in one case: it takes an encoded surrogate (`ED A0 80`) for one part, and not for three.
final class Utf8 {
    private static final byte SURROGATE_LEAD = (byte) 0xED;
    private static final byte SURROGATE_SECOND = (byte) 0xA0;
    /// Malformed wherever it stands, and of length one.
    private static final byte NEVER = (byte) 0xFF;

    private Utf8() {}

    static String decode(byte[] bytes, int from, int to) {
        var text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') < 0) {
            return text;
        }
        return new String(withoutSurrogates(bytes, from, to), StandardCharsets.UTF_8);
    }

    /// A copy in which Java sees as many malformed parts as everybody else.
    static byte[] withoutSurrogates(byte[] bytes, int from, int to) {
        var copy = Arrays.copyOfRange(bytes, from, to);
        for (int i = 0; i < copy.length - 1; i++) {
            boolean continues = copy[i + 1] < (byte) 0xC0;
            if (copy[i] == SURROGATE_LEAD && continues && copy[i + 1] >= SURROGATE_SECOND) {
                copy[i] = NEVER;
            }
        }
        return copy;
    }
}
