package dev.counterpoint.harmony.tokenizer;

/// Turns the pieces of one text into tokens. A piece that is no token is merged byte pair by byte pair: again and again
/// the pair with the lowest rank becomes one, the leftmost first. Not thread-safe.
public final class PieceMerger {
    private final Vocabulary vocabulary;
    private final PieceCache cache;
    private final PairTree parts;

    public PieceMerger(Vocabulary vocabulary, int textLength) {
        this.vocabulary = vocabulary;
        cache = new PieceCache(textLength);
        parts = new PairTree(vocabulary);
    }

    public void merge(byte[] text, int from, int to, TokenBuffer out) {
        int whole = vocabulary.find(text, from, to);
        if (whole != Vocabulary.NONE) {
            out.add(whole);
        } else if (!PieceCache.takes(to - from)) {
            mergeParts(text, from, to, out);
        } else if (!cache.find(text, from, to, out)) {
            int begin = out.size();
            mergeParts(text, from, to, out);
            cache.keep(out, begin);
        }
    }

    private void mergeParts(byte[] text, int from, int to, TokenBuffer out) {
        if (to - from > LongPiece.WINDOW) {
            new LongPiece(text, from, to, parts).merge(out);
        } else {
            parts.merge(text, from, to);
            parts.addTo(out, to - from);
        }
    }
}
