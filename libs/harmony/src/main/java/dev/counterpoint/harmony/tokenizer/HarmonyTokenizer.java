package dev.counterpoint.harmony.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// o200k_harmony: text to token ids and back. Thread-safe; loaded once, in 0.1 to 0.2 s.
///
/// Text never becomes a control token, whatever it spells. Same ids as tiktoken's `encode_ordinary`.
public final class HarmonyTokenizer {
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

    public void encode(String text, TokenBuffer out) {
        var utf8 = utf8(text);
        var splitter = new PieceSplitter(utf8);
        var merger = new PieceMerger(vocabulary, utf8.length);
        int at = 0;
        while (at < utf8.length) {
            int end = splitter.next(at);
            merger.merge(utf8, at, end, out);
            at = end;
        }
    }

    /// The text of any ids, control tokens by name; unknown ids and malformed UTF-8 become U+FFFD.
    public String decode(int[] tokens) {
        return vocabulary.decode(tokens);
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

    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /// Java would write a lone surrogate as `?`, the reference writes U+FFFD.
    private static byte[] utf8(String text) {
        var utf8 = text.getBytes(StandardCharsets.UTF_8);
        // One byte per character and still the same when read as such: ASCII, found out by what the JDK does fastest.
        if (utf8.length == text.length() && text.equals(new String(utf8, StandardCharsets.ISO_8859_1))) {
            return utf8;
        }
        int lone = loneSurrogate(text, 0);
        if (lone < 0) {
            return utf8;
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
