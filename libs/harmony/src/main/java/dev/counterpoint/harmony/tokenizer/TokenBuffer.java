package dev.counterpoint.harmony.tokenizer;

import java.util.Arrays;

/// A growing list of token ids. Not thread-safe.
public final class TokenBuffer {
    private int[] tokens;
    private int size;

    public TokenBuffer(int capacity) {
        tokens = new int[Math.max(16, capacity)];
    }

    public void add(int token) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, size * 2);
        }
        tokens[size++] = token;
    }

    public void addAll(int[] more) {
        if (tokens.length - size < more.length) {
            tokens = Arrays.copyOf(tokens, Math.max(size * 2, size + more.length));
        }
        System.arraycopy(more, 0, tokens, size, more.length);
        size += more.length;
    }

    public int get(int index) {
        return tokens[index];
    }

    /// Forgets all but the first `size` tokens.
    void truncate(int size) {
        this.size = size;
    }

    public int size() {
        return size;
    }

    public int[] toArray() {
        return Arrays.copyOf(tokens, size);
    }

    /// All tokens; the buffer is empty afterwards.
    public int[] take() {
        var taken = toArray();
        truncate(0);
        return taken;
    }
}
