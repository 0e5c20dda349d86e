package dev.counterpoint.worker.constraint;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Sets of tokens in the format of masks: bit `t & 63` of word `t >> 6`.
final class TokenSets {
    private TokenSets() {}

    static long[] only(int... tokens) {
        var set = new long[(IntStream.of(tokens).max().orElse(0) >> 6) + 1];
        for (int token : tokens) {
            set[token >> 6] |= 1L << token;
        }
        return set;
    }

    static long[] allBut(int... tokens) {
        return where(token -> IntStream.of(tokens).noneMatch(left -> left == token));
    }

    static long[] where(IntPredicate wanted) {
        int size = HarmonyTokenizer.shared().vocabularySize();
        var set = new long[(size + 63) >> 6];
        IntStream.range(0, size).filter(wanted).forEach(token -> set[token >> 6] |= 1L << token);
        return set;
    }

    static long[] both(long[] one, long[] other) {
        var set = Arrays.copyOf(one, Math.min(one.length, other.length));
        for (int i = 0; i < set.length; i++) {
            set[i] &= other[i];
        }
        return set;
    }

    static int[] join(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(IntStream::of).toArray();
    }

    /// Token sequences of which one is followed to its end. Not thread-safe.
    static final class Candidates {
        private List<int[]> left;
        private int position;

        /// @param sequences none of which begins another
        Candidates(List<int[]> sequences) {
            left = sequences;
        }

        long[] allowed() {
            return only(left.stream().mapToInt(sequence -> sequence[position]).toArray());
        }

        /// What is left of the first one.
        int[] first() {
            var sequence = left.getFirst();
            return Arrays.copyOfRange(sequence, position, sequence.length);
        }

        /// @return whether the sequence is complete
        boolean follow(int token) {
            int at = position;
            left = left.stream().filter(sequence -> sequence[at] == token).toList();
            position++;
            return left.getFirst().length == position;
        }
    }
}
