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

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(tokens, size);
    }
}
