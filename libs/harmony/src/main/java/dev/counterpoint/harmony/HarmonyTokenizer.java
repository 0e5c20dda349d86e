package dev.counterpoint.harmony;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// o200k_harmony: text to token ids and back. Thread-safe; loaded once, in about 0.2 s.
///
/// Text never becomes a control token, whatever it spells. Same ids as tiktoken's `encode_ordinary`.
public final class HarmonyTokenizer {
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    private final Vocabulary vocabulary;

    private HarmonyTokenizer(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    private static final class Holder {
        static final HarmonyTokenizer SHARED = new HarmonyTokenizer(Vocabulary.load());
    }

    /// The one instance. The first call loads the vocabulary and fails when that is missing or altered.
    public static HarmonyTokenizer shared() {
        return Holder.SHARED;
    }

    /// The tokens of a text. A lone surrogate counts as U+FFFD.
    public int[] encode(String text) {
        var tokens = new TokenBuffer(text.length() / 3);
        encode(text, tokens);
        return tokens.toArray();
    }

    /// How many tokens {@link #encode} yields.
    public int countTokens(String text) {
        var tokens = new TokenBuffer(text.length() / 3);
        encode(text, tokens);
        return tokens.size();
    }

    void encode(String text, TokenBuffer out) {
        var utf8 = utf8(text);
        var splitter = new PieceSplitter(utf8);
        var merger = new PieceMerger(vocabulary);
        int at = 0;
        while (at < utf8.length) {
            int end = splitter.next(at);
            merger.merge(utf8, at, end, out);
            at = end;
        }
    }

    /// The text of any ids, control tokens by name; unknown ids and malformed UTF-8 become U+FFFD.
    public String decode(int[] tokens) {
        int length = 0;
        for (int token : tokens) {
            length += Vocabulary.contains(token) ? vocabulary.end(token) - vocabulary.start(token) : REPLACEMENT.length;
        }
        var text = new byte[length];
        int at = 0;
        for (int token : tokens) {
            boolean known = Vocabulary.contains(token);
            var source = known ? vocabulary.bytes() : REPLACEMENT;
            int start = known ? vocabulary.start(token) : 0;
            int end = known ? vocabulary.end(token) : REPLACEMENT.length;
            System.arraycopy(source, start, text, at, end - start);
            at += end - start;
        }
        return Utf8.decode(text, 0, length);
    }

    /// The bytes of one token, a copy; of a control token, its name.
    ///
    /// @throws IllegalArgumentException for an id outside the vocabulary
    public byte[] bytes(int token) {
        if (!Vocabulary.contains(token)) {
            throw new IllegalArgumentException("no token has the id " + token);
        }
        return Arrays.copyOfRange(vocabulary.bytes(), vocabulary.start(token), vocabulary.end(token));
    }

    /// 201089, control tokens and reserved ids included.
    public int vocabularySize() {
        return Vocabulary.SIZE;
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }

    /// Java would write a lone surrogate as `?`, the reference writes U+FFFD.
    private static byte[] utf8(String text) {
        int lone = loneSurrogate(text, 0);
        if (lone < 0) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        var mended = new StringBuilder(text);
        for (; lone >= 0; lone = loneSurrogate(text, lone + 1)) {
            mended.setCharAt(lone, '\uFFFD');
        }
        return mended.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int loneSurrogate(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (!Character.isSurrogate(text.charAt(i))) {
                continue;
            }
            boolean pair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
            if (!pair) {
                return i;
            }
            i++;
        }
        return -1;
    }
}
