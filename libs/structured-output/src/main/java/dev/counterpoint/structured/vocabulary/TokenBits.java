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

    public void clear() {
        Arrays.fill(words, 0);
    }

    /// Adds what another one of the same size contains.
    public void add(TokenBits other) {
        or(other.words);
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

    /// The only token, or -1 when there are none or several.
    public int single() {
        int found = -1;
        for (int i = 0; i < words.length; i++) {
            if (words[i] != 0) {
                if (found >= 0 || Long.bitCount(words[i]) > 1) {
                    return -1;
                }
                found = i * Long.SIZE + Long.numberOfTrailingZeros(words[i]);
            }
        }
        return found;
    }
}
