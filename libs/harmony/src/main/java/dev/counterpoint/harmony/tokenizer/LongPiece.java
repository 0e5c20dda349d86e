package dev.counterpoint.harmony.tokenizer;

import java.util.Arrays;

/// Merges a piece that is longer than {@link #WINDOW} in windows that overlap, so that the work stays close to the
/// processor and an attacker's text repeats itself for nothing.
///
/// Tokens are what merging yields if and only if any two neighbours are what merging these two alone yields. So a
/// window's tokens hold up to some place before its end if the next window, which begins there, begins with the very
/// token that stood there in the window before. If it does not, all begins anew with windows twice as long.
public final class LongPiece {
    public static final int WINDOW = 1024;
    /// Tokens this close to a window's end, as a part of it, may change with the text behind it.
    private static final int LOOKAHEAD_PARTS = 5;

    private final byte[] text;
    private final int from;
    private final int to;
    private final PairTree parts;

    public LongPiece(byte[] text, int from, int to, PairTree parts) {
        this.text = text;
        this.from = from;
        this.to = to;
        this.parts = parts;
    }

    public void merge(TokenBuffer out) {
        merge(WINDOW, out);
    }

    /// @param firstWindow in bytes, at least 5
    public void merge(int firstWindow, TokenBuffer out) {
        int begin = out.size();
        for (int window = firstWindow; !windowsFit(window, out); window *= 2) {
            out.truncate(begin);
        }
    }

    /// Adds the tokens, which are the right ones if the windows fit together.
    private boolean windowsFit(int window, TokenBuffer out) {
        int at = from;
        int merged = from;
        int expected = Vocabulary.NONE;
        while (to - at > window) {
            if (at == from || !Arrays.equals(text, at, at + window, text, merged, merged + window)) {
                parts.merge(text, at, at + window);
                merged = at;
            }
            int kept = parts.addTo(out, window - window / LOOKAHEAD_PARTS);
            if (kept == 0 || expected != Vocabulary.NONE && expected != parts.token(0)) {
                return false;
            }
            expected = parts.token(kept);
            at += kept;
        }
        parts.merge(text, at, to);
        parts.addTo(out, to - at);
        return expected == Vocabulary.NONE || expected == parts.token(0);
    }
}
