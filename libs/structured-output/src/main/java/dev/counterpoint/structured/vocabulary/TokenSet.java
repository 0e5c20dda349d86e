package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;

/// An immutable set of tokens, in the form that is cheaper to add to a mask.
public sealed interface TokenSet {
    /// No token.
    TokenSet NONE = new Few(new int[0]);

    /// What a mask contains.
    static TokenSet of(TokenBits mask) {
        var builder = new Builder(mask.size());
        var words = mask.words();
        for (int i = 0; i < words.length; i++) {
            for (long left = words[i]; left != 0; left &= left - 1) {
                builder.add(i * Long.SIZE + Long.numberOfTrailingZeros(left));
            }
        }
        return builder.build();
    }

    void addTo(TokenBits mask);

    /// Memory that it takes.
    int bytes();

    /// The ids.
    record Few(int[] tokens) implements TokenSet {
        @Override
        public void addTo(TokenBits mask) {
            for (int token : tokens) {
                mask.set(token);
            }
        }

        @Override
        public int bytes() {
            return tokens.length * Integer.BYTES;
        }
    }

    /// A bit for each id.
    record Many(long[] words) implements TokenSet {
        @Override
        public void addTo(TokenBits mask) {
            mask.or(words);
        }

        @Override
        public int bytes() {
            return words.length * Long.BYTES;
        }
    }

    /// Collects tokens. Not thread-safe.
    final class Builder {
        /// Above this share of the vocabulary, bits are cheaper than ids.
        private static final int MANY_FRACTION = 128;

        private final int vocabulary;
        private int[] tokens = new int[64];
        private int count;

        public Builder(int vocabulary) {
            this.vocabulary = vocabulary;
        }

        public void add(int token) {
            if (count == tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * count);
            }
            tokens[count++] = token;
        }

        public TokenSet build() {
            if (count == 0) {
                return NONE;
            }
            if (count < vocabulary / MANY_FRACTION) {
                return new Few(Arrays.copyOf(tokens, count));
            }
            var mask = new TokenBits(vocabulary);
            for (int i = 0; i < count; i++) {
                mask.set(tokens[i]);
            }
            return new Many(mask.words());
        }
    }
}
