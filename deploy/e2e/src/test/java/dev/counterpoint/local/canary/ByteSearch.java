package dev.counterpoint.local.canary;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/// Finds many byte strings at once in bytes that come piece by piece (Aho-Corasick, with all transitions in one table).
/// Immutable; each [Scan] belongs to one thread.
final class ByteSearch {
    private static final int BYTES = 256;
    private static final int NONE = -1;

    private final int[] next;
    /// Needle that ends in a state, and the state where the next shorter one ends.
    private final int[] needleAt;

    private final int[] shorter;
    private final int lengthMax;

    /// @param needles none empty, no two the same
    ByteSearch(List<byte[]> needles) {
        int statesMax = 1 + needles.stream().mapToInt(needle -> needle.length).sum();
        next = new int[statesMax * BYTES];
        needleAt = new int[statesMax];
        shorter = new int[statesMax];
        Arrays.fill(needleAt, NONE);
        lengthMax = needles.stream().mapToInt(needle -> needle.length).max().orElse(0);
        int states = 1;
        for (int needle = 0; needle < needles.size(); needle++) {
            int state = 0;
            for (byte letter : needles.get(needle)) {
                int slot = state * BYTES + (letter & 0xFF);
                next[slot] = next[slot] == 0 ? states++ : next[slot];
                state = next[slot];
            }
            if (state == 0 || needleAt[state] != NONE) {
                throw new IllegalArgumentException("needle " + needle + " is empty or there twice");
            }
            needleAt[state] = needle;
        }
        link(states);
    }

    /// Breadth first: what follows a mismatch is known from shorter prefixes.
    private void link(int states) {
        int[] fallback = new int[states];
        var queue = new ArrayDeque<Integer>();
        for (int letter = 0; letter < BYTES; letter++) {
            if (next[letter] != 0) {
                queue.add(next[letter]);
            }
        }
        while (!queue.isEmpty()) {
            int state = queue.remove();
            int back = fallback[state];
            shorter[state] = needleAt[back] == NONE ? shorter[back] : back;
            for (int letter = 0; letter < BYTES; letter++) {
                int slot = state * BYTES + letter;
                int otherwise = next[back * BYTES + letter];
                if (next[slot] == 0) {
                    next[slot] = otherwise;
                } else {
                    fallback[next[slot]] = otherwise;
                    queue.add(next[slot]);
                }
            }
        }
    }

    /// The indexes of all needles in these bytes, in the order of their ends.
    List<Integer> find(byte[] bytes) {
        var found = new ArrayList<Integer>();
        scan(found::add).accept(bytes, 0, bytes.length);
        return found;
    }

    Scan scan(IntConsumer hit) {
        return new Scan(hit);
    }

    /// One stream of bytes.
    final class Scan {
        private static final byte[] ZEROS = new byte[1 << 16];

        private final IntConsumer hit;
        private int state;

        private Scan(IntConsumer hit) {
            this.hit = hit;
        }

        void accept(byte[] bytes, int from, int length) {
            int end = from + length;
            for (int at = from; at < end; at += ZEROS.length) {
                int stop = Math.min(end, at + ZEROS.length);
                // Files are preallocated: after so many zeros as the longest needle has bytes, more change nothing.
                boolean empty = Arrays.equals(bytes, at, stop, ZEROS, 0, stop - at);
                step(bytes, at, empty ? Math.min(stop, at + lengthMax) : stop);
            }
        }

        private void step(byte[] bytes, int from, int end) {
            int at = state;
            for (int i = from; i < end; i++) {
                at = next[at * BYTES + (bytes[i] & 0xFF)];
                if (needleAt[at] != NONE || shorter[at] != 0) {
                    report(at);
                }
            }
            state = at;
        }

        private void report(int from) {
            for (int at = needleAt[from] == NONE ? shorter[from] : from; at != 0; at = shorter[at]) {
                hit.accept(needleAt[at]);
            }
        }

        /// What comes next does not follow on what came.
        void cut() {
            state = 0;
        }
    }
}
