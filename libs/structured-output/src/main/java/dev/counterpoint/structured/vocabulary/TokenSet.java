package dev.counterpoint.structured.vocabulary;

import java.util.Arrays;
import java.util.List;

/// An immutable set of tokens, in the form that is cheaper to add to a mask.
public sealed interface TokenSet {
    /// No token.
    TokenSet NONE = new Few(new int[0]);

    /// All tokens of some sets.
    ///
    /// @param vocabulary number of ids
    static TokenSet union(List<TokenSet> sets, int vocabulary) {
        if (sets.size() == 1) {
            return sets.getFirst();
        }
        var few = new Builder(vocabulary);
        for (var set : sets) {
            if (!(set instanceof Few(var tokens)) || few.count + tokens.length > vocabulary / Builder.MANY_FRACTION) {
                return ofMany(sets, vocabulary);
            }
            for (int token : tokens) {
                few.add(token);
            }
        }
        return few.build();
    }

    private static TokenSet ofMany(List<TokenSet> sets, int vocabulary) {
        var bits = new TokenBits(vocabulary);
        sets.forEach(set -> set.addTo(bits));
        return new Many(bits.words());
    }

    void addTo(TokenBits mask);

    /// Memory that it takes.
    int bytes();

    /// The ids, of which one may stand twice.
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
        private int[] tokens = new int[4];
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

        int[] ids() {
            return Arrays.copyOf(tokens, count);
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
