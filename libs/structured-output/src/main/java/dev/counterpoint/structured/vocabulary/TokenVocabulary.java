package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/// The tokens of a model by their texts. Immutable, about 20 MB for 200,000 tokens; one for each model is enough.
public final class TokenVocabulary {
    /// A byte that no text has: a token with a meaning of its own starts with it, see [#special].
    public static final int SPECIAL = 0xff;

    private final byte[][] texts;
    private final TokenTrie trie;
    private final Map<Integer, int[]> others = new HashMap<>();

    /// @param texts of each id; empty for an id that may never come, as are those of more than 255 bytes. Not
    ///     copied
    public TokenVocabulary(byte[][] texts) {
        this.texts = texts;
        var all = IntStream.range(0, texts.length)
                .filter(id -> texts[id].length > 0 && texts[id].length <= TokenTrie.DEPTH_MAX)
                .toArray();
        TextOrder.sort(all, texts);
        trie = TokenTrie.of(withoutTwins(all), texts);
    }

    /// What stands for a token with a meaning of its own, such as `<|end|>`, where grammars and vocabularies are
    /// made: no text can be mistaken for it.
    ///
    /// @param number from 0 to 65,535, one for each of these tokens
    public static byte[] special(int number) {
        return new byte[] {(byte) SPECIAL, (byte) (number >>> 8), (byte) number};
    }

    private int[] withoutTwins(int[] all) {
        int count = 0;
        for (int id : all) {
            if (count > 0 && Arrays.equals(texts[all[count - 1]], texts[id])) {
                others.merge(all[count - 1], new int[] {id}, TokenVocabulary::joined);
            } else {
                all[count++] = id;
            }
        }
        return Arrays.copyOf(all, count);
    }

    private static int[] joined(int[] first, int[] second) {
        return IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
    }

    /// The number of ids.
    public int size() {
        return texts.length;
    }

    /// The text of a token. Callers only read.
    public byte[] text(int token) {
        return texts[token];
    }

    /// All texts; of tokens with the same text, one.
    public TokenTrie trie() {
        return trie;
    }

    /// The texts of some tokens of [#trie].
    ///
    /// @param members whether each id is one of them
    public TokenTrie trieOf(boolean[] members) {
        return trie.filtered(members);
    }

    /// Adds the tokens with the same text as those in the mask, where only one of each text is.
    public void addTwins(TokenBits mask) {
        others.forEach((token, twins) -> {
            if (mask.contains(token)) {
                for (int twin : twins) {
                    mask.set(twin);
                }
            }
        });
    }
}
