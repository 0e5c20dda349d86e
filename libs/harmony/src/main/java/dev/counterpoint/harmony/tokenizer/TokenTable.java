package dev.counterpoint.harmony.tokenizer;

import java.util.Arrays;

/// Finds the id of a token by its bytes: open addressing over words of eight bytes, the id beside its key, so that
/// one cache line answers most questions. Filled once, then only read; about 7 MB.
final class TokenTable {
    static final int NONE = -1;

    /// A token and its length fit into one word.
    private static final int SHORT = 8;
    /// A token and its length fit into two words.
    private static final int MEDIUM = 16;

    // 132,360 tokens of up to 7 bytes, 62,146 of up to 15, 5,492 longer ones: loads of 0.5, 0.47 and 0.34.
    private static final int SHORT_BITS = 18;
    /// Seven bytes and their number.
    private static final int HASH_BITS = 59;

    private static final long HASH_MASK = (1L << HASH_BITS) - 1;
    private static final int REST_BITS = HASH_BITS - SHORT_BITS;
    private static final long REST_MASK = (1L << REST_BITS) - 1;
    private static final int ID_BITS = 18;
    private static final int ID_MASK = (1 << ID_BITS) - 1;
    private static final int DISTANCE_BITS = Long.SIZE - ID_BITS - REST_BITS;
    private static final int DISTANCES = 1 << DISTANCE_BITS;

    private static final int MEDIUM_BITS = 17;
    private static final int LONG_BITS = 14;
    private static final int FILTER_BITS = 21;

    /// Each entry packs the bits of the key's hash that the slot does not imply, the distance to that slot, and the
    /// id plus 1. The hash is one to one, so an entry identifies its key in half the space.
    private final long[] shorts = new long[1 << SHORT_BITS];
    /// First word, second word with the length, id, nothing.
    private final long[] mediums = new long[4 << MEDIUM_BITS];

    /// A bit for each hash of a token of up to 15 bytes. Most answers while merging are no; these 256 kB give them
    /// and stay close to the processor.
    private final long[] filter = new long[1 << FILTER_BITS - 6];

    private final int[] longs = new int[1 << LONG_BITS];
    private final byte[] bytes;
    private final int[] starts;
    private int longest;

    /// Token `i` is `bytes[starts[i] .. starts[i + 1])`.
    TokenTable(byte[] bytes, int[] starts, int tokens) {
        this.bytes = bytes;
        this.starts = starts;
        Arrays.fill(longs, NONE);
        for (int id = 0; id < tokens; id++) {
            add(id);
        }
    }

    private void add(int id) {
        int from = starts[id];
        int to = starts[id + 1];
        int length = to - from;
        if (length < SHORT) {
            addShort(shortHash(PackedBytes.at(bytes, from), length), id);
        } else if (length < MEDIUM) {
            long first = PackedBytes.at(bytes, from);
            long second = withLength(PackedBytes.at(bytes, from + Long.BYTES), length - Long.BYTES);
            long hash = PackedBytes.hash(first, second);
            mark(hash >>> Long.SIZE - HASH_BITS);
            int slot = mediumSlot(hash);
            while (mediums[slot + 1] != 0) {
                slot = slot + 4 & mediums.length - 1;
            }
            mediums[slot] = first;
            mediums[slot + 1] = second;
            mediums[slot + 2] = id;
        } else {
            longest = Math.max(longest, length);
            int slot = longSlot(bytes, from, to);
            while (longs[slot] != NONE) {
                slot = slot + 1 & longs.length - 1;
            }
            longs[slot] = id;
        }
    }

    /// The token with exactly these bytes, at least one, or {@link #NONE}.
    int find(byte[] text, int from, int to) {
        int length = to - from;
        long word = PackedBytes.at(text, from);
        if (length < SHORT) {
            return findShort(shortHash(word, length));
        }
        if (length < MEDIUM) {
            return findMedium(word, withLength(PackedBytes.at(text, from + Long.BYTES), length - Long.BYTES));
        }
        return length > longest ? NONE : findLong(text, from, to);
    }

    private void addShort(long hash, int id) {
        mark(hash);
        int slot = (int) (hash >>> REST_BITS);
        int distance = 0;
        while (shorts[slot + distance & shorts.length - 1] != 0) {
            distance++;
        }
        if (distance >= DISTANCES) {
            throw new IllegalStateException("token " + id + " is " + distance + " slots away from its own");
        }
        shorts[slot + distance & shorts.length - 1] = rest(hash) + distance << ID_BITS | id + 1;
    }

    private int findShort(long hash) {
        if (!marked(hash)) {
            return NONE;
        }
        int slot = (int) (hash >>> REST_BITS);
        long nearest = rest(hash);
        for (long wanted = nearest; wanted < nearest + DISTANCES; wanted++) {
            long found = shorts[slot++ & shorts.length - 1];
            if (found >>> ID_BITS == wanted) {
                return ((int) found & ID_MASK) - 1;
            }
            if (found == 0) {
                return NONE;
            }
        }
        return NONE;
    }

    /// Of the bytes and their number, one to one.
    private static long shortHash(long word, int length) {
        return PackedBytes.hash(PackedBytes.first(word, length) | (long) length << 56) & HASH_MASK;
    }

    private static long rest(long hash) {
        return (hash & REST_MASK) << DISTANCE_BITS;
    }

    private int findMedium(long first, long second) {
        long hash = PackedBytes.hash(first, second);
        if (!marked(hash >>> Long.SIZE - HASH_BITS)) {
            return NONE;
        }
        for (int slot = mediumSlot(hash); mediums[slot + 1] != 0; slot = slot + 4 & mediums.length - 1) {
            if (mediums[slot + 1] == second && mediums[slot] == first) {
                return (int) mediums[slot + 2];
            }
        }
        return NONE;
    }

    private int findLong(byte[] text, int from, int to) {
        int slot = longSlot(text, from, to);
        while (longs[slot] != NONE) {
            int id = longs[slot];
            if (Arrays.equals(text, from, to, bytes, starts[id], starts[id + 1])) {
                return id;
            }
            slot = slot + 1 & longs.length - 1;
        }
        return NONE;
    }

    /// Never zero, since no token is empty: zero marks a free slot.
    private static long withLength(long word, int length) {
        return PackedBytes.first(word, length) | (long) (length + 1) << 56;
    }

    private static int mediumSlot(long hash) {
        return (int) (hash >>> Long.SIZE - MEDIUM_BITS) << 2;
    }

    private void mark(long hash) {
        long bit = hash >>> HASH_BITS - FILTER_BITS;
        filter[(int) (bit >>> 6)] |= 1L << bit;
    }

    private boolean marked(long hash) {
        long bit = hash >>> HASH_BITS - FILTER_BITS;
        return (filter[(int) (bit >>> 6)] & 1L << bit) != 0;
    }

    private static int longSlot(byte[] text, int from, int to) {
        long hash = to - from;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = PackedBytes.hash(hash >>> 32, hash ^ PackedBytes.at(text, at));
        }
        hash = PackedBytes.hash(hash >>> 32, hash ^ PackedBytes.first(PackedBytes.at(text, at), to - at));
        return (int) (hash >>> Long.SIZE - LONG_BITS);
    }
}
