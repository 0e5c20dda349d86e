package dev.counterpoint.harmony;

import java.util.Arrays;

/// Byte-pair merging of one piece: again and again the pair with the lowest rank becomes one token, the leftmost first.
///
/// Short pieces are scanned for their lowest pair; long ones keep the pairs in a heap, so that a megabyte of one letter
/// takes n log n. Not thread-safe.
final class PieceMerger {
    /// From this length in bytes the heap is the faster one.
    private static final int LONG_PIECE = 128;

    private static final int NO_PAIR = Integer.MAX_VALUE;

    private final Vocabulary vocabulary;
    private final int[] bounds = new int[LONG_PIECE + 1];
    private final int[] ranks = new int[LONG_PIECE + 1];

    PieceMerger(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    void merge(byte[] text, int from, int to, TokenBuffer out) {
        int whole = vocabulary.find(text, from, to);
        if (whole != Vocabulary.NONE) {
            out.add(whole);
        } else if (to - from < LONG_PIECE) {
            mergeShort(text, from, to, out);
        } else {
            new LongPiece(text, from, to).merge(out);
        }
    }

    private int rank(byte[] text, int from, int to) {
        int id = vocabulary.find(text, from, to);
        return id == Vocabulary.NONE ? NO_PAIR : id;
    }

    private void mergeShort(byte[] text, int from, int to, TokenBuffer out) {
        int parts = to - from;
        for (int i = 0; i <= parts; i++) {
            bounds[i] = from + i;
        }
        for (int i = 0; i < parts - 1; i++) {
            ranks[i] = rank(text, from + i, from + i + 2);
        }
        while (parts > 1) {
            int lowest = lowestPair(parts);
            if (ranks[lowest] == NO_PAIR) {
                break;
            }
            System.arraycopy(bounds, lowest + 2, bounds, lowest + 1, parts - lowest - 1);
            System.arraycopy(ranks, lowest + 2, ranks, lowest + 1, Math.max(0, parts - lowest - 3));
            parts--;
            if (lowest < parts - 1) {
                ranks[lowest] = rank(text, bounds[lowest], bounds[lowest + 2]);
            }
            if (lowest > 0) {
                ranks[lowest - 1] = rank(text, bounds[lowest - 1], bounds[lowest + 1]);
            }
        }
        for (int i = 0; i < parts; i++) {
            out.add(vocabulary.find(text, bounds[i], bounds[i + 1]));
        }
    }

    private int lowestPair(int parts) {
        int lowest = 0;
        for (int i = 1; i < parts - 1; i++) {
            if (ranks[i] < ranks[lowest]) {
                lowest = i;
            }
        }
        return lowest;
    }

    /// Parts as a linked list by their offset; pairs in a heap by rank, then offset. Outdated heap entries stay until
    /// they surface: their rank is no longer the pair's.
    private final class LongPiece {
        private final byte[] text;
        private final int from;
        private final int length;
        private final int[] next;
        private final int[] previous;
        private final int[] pairRank;
        private long[] heap;
        private int heapSize;

        LongPiece(byte[] text, int from, int to) {
            this.text = text;
            this.from = from;
            this.length = to - from;
            next = new int[length];
            previous = new int[length];
            pairRank = new int[length];
            heap = new long[length];
            for (int i = 0; i < length; i++) {
                next[i] = i + 1;
                previous[i] = i - 1;
                pairRank[i] = i + 1 < length ? rank(text, from + i, from + i + 2) : NO_PAIR;
                push(i);
            }
        }

        void merge(TokenBuffer out) {
            while (heapSize > 0) {
                long lowest = pop();
                int part = (int) lowest;
                if (pairRank[part] != (int) (lowest >>> 32)) {
                    continue;
                }
                int gone = next[part];
                int after = next[gone];
                pairRank[gone] = NO_PAIR;
                next[part] = after;
                if (after < length) {
                    previous[after] = part;
                }
                rerank(part);
                if (previous[part] >= 0) {
                    rerank(previous[part]);
                }
            }
            for (int part = 0; part < length; part = next[part]) {
                out.add(vocabulary.find(text, from + part, from + next[part]));
            }
        }

        private void rerank(int part) {
            int second = next[part];
            pairRank[part] = second < length ? rank(text, from + part, from + next[second]) : NO_PAIR;
            push(part);
        }

        private void push(int part) {
            if (pairRank[part] == NO_PAIR) {
                return;
            }
            if (heapSize == heap.length) {
                heap = Arrays.copyOf(heap, heapSize * 2);
            }
            long entry = (long) pairRank[part] << 32 | part;
            int at = heapSize++;
            while (at > 0 && heap[(at - 1) / 2] > entry) {
                heap[at] = heap[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            heap[at] = entry;
        }

        private long pop() {
            long top = heap[0];
            long last = heap[--heapSize];
            int at = 0;
            while (2 * at + 1 < heapSize) {
                int child = 2 * at + 1;
                if (child + 1 < heapSize && heap[child + 1] < heap[child]) {
                    child++;
                }
                if (heap[child] >= last) {
                    break;
                }
                heap[at] = heap[child];
                at = child;
            }
            heap[at] = last;
            return top;
        }
    }
}
