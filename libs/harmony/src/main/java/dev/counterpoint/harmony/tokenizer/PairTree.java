package dev.counterpoint.harmony.tokenizer;

import java.util.Arrays;

/// The parts of a piece while they are merged, each named by the offset of its first byte, with a tree over the
/// pairs of neighbours whose root is the next pair to merge: n log n, whatever the text. Not thread-safe; used again
/// and again.
public final class PairTree {
    private static final long NO_PAIR = Long.MAX_VALUE;

    private final Vocabulary vocabulary;
    private int[] next = {};
    private int[] previous = {};
    private int[] tokens = {};
    /// Rank and first part of a pair, at `leaves + part`; a node `i` is the lower of its children, `2i` and `2i + 1`.
    private long[] tree = {};
    private int leaves;

    public PairTree(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// Merges all that can be merged. The text has at least two bytes.
    void merge(byte[] text, int from, int to) {
        int length = to - from;
        reset(text, from, length);
        while (tree[1] != NO_PAIR) {
            long lowest = tree[1];
            int part = (int) lowest;
            tokens[part] = (int) (lowest >>> 32);
            int gone = next[part];
            int after = next[gone];
            next[part] = after;
            set(gone, NO_PAIR);
            if (after < length) {
                previous[after] = part;
                set(part, pair(part, vocabulary.find(text, from + part, from + next[after])));
            } else {
                set(part, NO_PAIR);
            }
            if (part > 0) {
                int before = previous[part];
                set(before, pair(before, vocabulary.find(text, from + before, from + after)));
            }
        }
    }

    private void reset(byte[] text, int from, int length) {
        if (next.length < length) {
            int capacity = Integer.highestOneBit(length - 1) << 1;
            next = new int[capacity];
            previous = new int[capacity];
            tokens = new int[capacity];
            tree = new long[2 * capacity];
        }
        leaves = Integer.highestOneBit(length - 1) << 1;
        for (int part = 0; part < length; part++) {
            next[part] = part + 1;
            previous[part] = part - 1;
            byte first = text[from + part];
            tokens[part] = vocabulary.find(first);
            tree[leaves + part] =
                    part + 1 < length ? pair(part, vocabulary.find(first, text[from + part + 1])) : NO_PAIR;
        }
        Arrays.fill(tree, leaves + length, 2 * leaves, NO_PAIR);
        for (int node = leaves - 1; node > 0; node--) {
            tree[node] = Math.min(tree[2 * node], tree[2 * node + 1]);
        }
    }

    private static long pair(int part, int rank) {
        return rank == Vocabulary.NONE ? NO_PAIR : (long) rank << 32 | part;
    }

    private void set(int part, long pair) {
        long lowest = pair;
        int node = leaves + part;
        tree[node] = lowest;
        for (; node > 1; node >>= 1) {
            lowest = Math.min(lowest, tree[node ^ 1]);
            if (tree[node >> 1] == lowest) {
                return;
            }
            tree[node >> 1] = lowest;
        }
    }

    /// Adds the tokens of the parts that end within the first `length` bytes.
    ///
    /// @return the part behind them
    int addTo(TokenBuffer out, int length) {
        int part = 0;
        while (part < length && next[part] <= length) {
            out.add(tokens[part]);
            part = next[part];
        }
        return part;
    }

    int token(int part) {
        return tokens[part];
    }
}
