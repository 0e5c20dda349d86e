package dev.counterpoint.summarizer.judge;

import java.util.List;

/// Runs of words or letters, as hashes: a collision refuses a part, it never lets one pass. Only grows, by 8 to 32
/// bytes a run, because a request may have a million of them.
final class RunIndex {
    private static final int SIZE_MIN = 64;
    private static final long FREE = 0;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long BASE = 31;

    /// Open addressing, at most half full.
    private long[] table = new long[SIZE_MIN];

    private int size;

    void add(List<String> run) {
        put(hash(run));
    }

    /// All runs of so many words.
    void addAll(List<String> words, int length) {
        for (int i = 0; i + length <= words.size(); i++) {
            add(words.subList(i, i + length));
        }
    }

    /// True if a run of so many words is known.
    boolean occursIn(List<String> words, int length) {
        for (int i = 0; i + length <= words.size(); i++) {
            if (holds(hash(words.subList(i, i + length)))) {
                return true;
            }
        }
        return false;
    }

    /// All runs of so many letters.
    void addLetters(String letters, int length) {
        for (int i = 0; i + length <= letters.length(); i++) {
            put(hash(letters, i, i + length));
        }
    }

    boolean lettersOccurIn(String letters, int length) {
        for (int i = 0; i + length <= letters.length(); i++) {
            if (holds(hash(letters, i, i + length))) {
                return true;
            }
        }
        return false;
    }

    private static long hash(List<String> run) {
        long hash = run.size();
        for (var word : run) {
            hash = mixed(hash ^ word.hashCode());
        }
        return notFree(hash);
    }

    private static long hash(String letters, int from, int to) {
        long hash = 0;
        for (int i = from; i < to; i++) {
            hash = hash * BASE + letters.charAt(i);
        }
        return notFree(mixed(hash));
    }

    private static long mixed(long hash) {
        long mixed = hash * MIX;
        return mixed ^ mixed >>> 29;
    }

    private static long notFree(long hash) {
        return hash == FREE ? 1 : hash;
    }

    private boolean holds(long hash) {
        return table[place(table, hash)] == hash;
    }

    private void put(long hash) {
        int place = place(table, hash);
        if (table[place] == hash) {
            return;
        }
        table[place] = hash;
        size++;
        if (2 * size > table.length) {
            grow();
        }
    }

    private void grow() {
        var larger = new long[2 * table.length];
        for (long hash : table) {
            if (hash != FREE) {
                larger[place(larger, hash)] = hash;
            }
        }
        table = larger;
    }

    /// Where the hash is, or could be.
    private static int place(long[] table, long hash) {
        int place = (int) (hash ^ hash >>> 32) & table.length - 1;
        while (table[place] != FREE && table[place] != hash) {
            place = place + 1 & table.length - 1;
        }
        return place;
    }
}
