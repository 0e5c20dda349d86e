package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;

/// Sorts tokens by their texts, byte by byte: a comparison sort of 200,000 texts takes seconds in a JVM that has
/// just started.
final class TextOrder {
    /// So few are sorted by comparing them.
    private static final int FEW = 24;

    private static final int BUCKETS = 257;

    private final byte[][] texts;
    private final int[] spare;

    private TextOrder(byte[][] texts, int size) {
        this.texts = texts;
        spare = new int[size];
    }

    /// @param texts of each token
    static void sort(int[] tokens, byte[][] texts) {
        new TextOrder(texts, tokens.length).sort(tokens, 0, tokens.length, 0);
    }

    /// @param depth number of bytes in which all these texts agree
    private void sort(int[] tokens, int from, int to, int depth) {
        if (to - from <= FEW) {
            insert(tokens, from, to);
            return;
        }
        var starts = new int[BUCKETS + 1];
        for (int i = from; i < to; i++) {
            starts[bucket(tokens[i], depth) + 1]++;
        }
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            starts[bucket + 1] += starts[bucket];
        }
        var next = Arrays.copyOf(starts, BUCKETS);
        for (int i = from; i < to; i++) {
            spare[from + next[bucket(tokens[i], depth)]++] = tokens[i];
        }
        System.arraycopy(spare, from, tokens, from, to - from);
        for (int bucket = 1; bucket < BUCKETS; bucket++) {
            sort(tokens, from + starts[bucket], from + starts[bucket + 1], depth + 1);
        }
    }

    /// 0 for a text that ends here.
    private int bucket(int token, int depth) {
        var text = texts[token];
        return depth == text.length ? 0 : 1 + (text[depth] & 0xff);
    }

    private void insert(int[] tokens, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int token = tokens[i];
            int at = i;
            while (at > from && Arrays.compareUnsigned(texts[tokens[at - 1]], texts[token]) > 0) {
                tokens[at] = tokens[at - 1];
                at--;
            }
            tokens[at] = token;
        }
    }
}
