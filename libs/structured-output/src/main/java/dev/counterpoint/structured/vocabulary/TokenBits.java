package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;

/// The tokens that may come next: one bit for each id. Not thread-safe.
public final class TokenBits {
    private final int size;
    private final long[] words;

    /// An empty one.
    ///
    /// @param size number of ids
    public TokenBits(int size) {
        this.size = size;
        words = new long[(size + Long.SIZE - 1) / Long.SIZE];
    }

    /// The number of ids that it speaks of.
    public int size() {
        return size;
    }

    /// Its bits, id 0 in the lowest of the first word. Callers only read.
    public long[] words() {
        return words;
    }

    public boolean contains(int token) {
        return token >= 0 && token < size && (words[token >> 6] >>> token & 1) != 0;
    }

    public void set(int token) {
        words[token >> 6] |= 1L << token;
    }

    public void clear(int token) {
        words[token >> 6] &= ~(1L << token);
    }

    public void clear() {
        Arrays.fill(words, 0);
    }

    void or(long[] more) {
        for (int i = 0; i < more.length; i++) {
            words[i] |= more[i];
        }
    }

    public int cardinality() {
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }
}
