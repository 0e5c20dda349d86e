package dev.counterpoint.harmony;

import java.util.Arrays;

/// A growing list of token ids.
final class TokenBuffer {
    private int[] tokens;
    private int size;

    TokenBuffer(int capacity) {
        tokens = new int[Math.max(16, capacity)];
    }

    void add(int token) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, size * 2);
        }
        tokens[size++] = token;
    }

    void addAll(int[] more) {
        if (tokens.length - size < more.length) {
            tokens = Arrays.copyOf(tokens, Math.max(size * 2, size + more.length));
        }
        System.arraycopy(more, 0, tokens, size, more.length);
        size += more.length;
    }

    int get(int index) {
        return tokens[index];
    }

    /// Forgets all but the first `size` tokens.
    void truncate(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(tokens, size);
    }
}
