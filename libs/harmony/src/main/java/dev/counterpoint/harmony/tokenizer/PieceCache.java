package dev.counterpoint.harmony.tokenizer;

/// What pieces that had to be merged became, for the next time they occur in the same text. Bounded: a newer
/// piece takes an older one's place. Not thread-safe.
final class PieceCache {
    /// A piece and its length have to fit into two words, its tokens of 18 bits each into two more.
    private static final int LONGEST_PIECE = 15;

    private static final int TOKENS_PER_WORD = 3;
    private static final int TOKENS = 2 * TOKENS_PER_WORD;
    private static final int TOKEN_BITS = 18;
    private static final int TOKEN_MASK = (1 << TOKEN_BITS) - 1;
    private static final int COUNT_SHIFT = TOKENS_PER_WORD * TOKEN_BITS;

    private static final int WORDS = 4;
    private static final int ENTRIES_MIN = 16;
    private static final int ENTRIES_MAX = 1024;
    private static final int BYTES_PER_ENTRY = 8;

    /// The piece's words, then its tokens' words; the first of these has the count on top.
    private final long[] entries;

    /// The piece asked for last.
    private long first;

    private long second;
    private int slot;

    PieceCache(int textLength) {
        int wanted = Math.clamp(textLength / BYTES_PER_ENTRY, ENTRIES_MIN, ENTRIES_MAX);
        entries = new long[Integer.highestOneBit(wanted) * WORDS];
    }

    static boolean takes(int pieceLength) {
        return pieceLength <= LONGEST_PIECE;
    }

    /// Whether the tokens of this piece are known; they are added then.
    boolean find(byte[] text, int from, int to, TokenBuffer out) {
        int length = to - from;
        long word = PackedBytes.at(text, from);
        boolean oneWord = length < Long.BYTES;
        first = oneWord ? PackedBytes.first(word, length) : word;
        long rest = oneWord ? 0 : PackedBytes.first(PackedBytes.at(text, from + Long.BYTES), length - Long.BYTES);
        second = (long) length << 56 | rest;
        slot = (int) (PackedBytes.hash(first, second) >>> 32) & entries.length - WORDS;
        if (entries[slot] != first || entries[slot + 1] != second) {
            return false;
        }
        addTokens(out);
        return true;
    }

    private void addTokens(TokenBuffer out) {
        long tokens = entries[slot + 2];
        int count = (int) (tokens >>> COUNT_SHIFT);
        for (int i = 0; i < count; i++) {
            if (i == TOKENS_PER_WORD) {
                tokens = entries[slot + 3];
            }
            out.add((int) tokens & TOKEN_MASK);
            tokens >>>= TOKEN_BITS;
        }
    }

    /// Keeps the tokens from `begin` on as those of the piece that was not found.
    void keep(TokenBuffer tokens, int begin) {
        int count = tokens.size() - begin;
        if (count > TOKENS) {
            return;
        }
        long words = 0;
        long more = 0;
        for (int i = count - 1; i >= 0; i--) {
            long token = tokens.get(begin + i);
            if (i < TOKENS_PER_WORD) {
                words = words << TOKEN_BITS | token;
            } else {
                more = more << TOKEN_BITS | token;
            }
        }
        entries[slot] = first;
        entries[slot + 1] = second;
        entries[slot + 2] = (long) count << COUNT_SHIFT | words;
        entries[slot + 3] = more;
    }
}
