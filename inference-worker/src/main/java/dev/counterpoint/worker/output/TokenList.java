package dev.counterpoint.worker.output;

import java.util.Arrays;

/// Token ids that wait to be taken. Not thread-safe.
final class TokenList {
    private int[] ids = new int[16];
    private int size;

    void add(int id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size * 2);
        }
        ids[size++] = id;
    }

    /// All of them; the list is empty afterwards.
    int[] take() {
        var taken = Arrays.copyOf(ids, size);
        size = 0;
        return taken;
    }
}
