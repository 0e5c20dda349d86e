package dev.counterpoint.engine.remote;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// A model whose logits are a function of all ids before; it says the best token whatever the
/// temperature.
///
/// @param likely tokens with their logits; all others are [#UNLIKELY], control tokens far less
record FakeModel(Map<Integer, Double> likely) {
    static final int VOCABULARY = TokenIds.VOCABULARY;
    private static final int LIKELY = 64;
    private static final double SPREAD = 20;
    private static final double UNLIKELY = -5;
    private static final double CONTROL = -60;

    /// What it thinks after these.
    static FakeModel after(int[] ids) {
        long state = 0x1234_5678_9ABC_DEFL;
        for (int id : ids) {
            state = mix(state ^ id);
        }
        var likely = new HashMap<Integer, Double>();
        while (likely.size() < LIKELY) {
            state = mix(state);
            int token = (int) Long.remainderUnsigned(state, SpecialTokens.FIRST);
            // No part of a character alone, as no trained model would.
            if (!HarmonyTokenizer.shared().decode(new int[] {token}).contains("\uFFFD")) {
                likely.put(token, SPREAD * ((state >>> 11) / (double) (1L << 53)));
            }
        }
        return new FakeModel(Map.copyOf(likely));
    }

    private static long mix(long state) {
        long mixed = (state ^ (state >>> 30)) * 0xBF58_476D_1CE4_E5B9L + 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ (mixed >>> 27);
    }

    /// Gumbel's, a function of all three: the best of the sums is drawn as by their softmax.
    static double noise(long seed, long position, int token) {
        long mixed = mix(mix(mix(seed) ^ position) ^ token);
        double uniform = ((mixed >>> 11) + 1) / (double) ((1L << 53) + 1);
        return -Math.log(-Math.log(uniform));
    }

    double logit(int token) {
        return likely.getOrDefault(token, SpecialTokens.isSpecial(token) ? CONTROL : UNLIKELY);
    }

    /// @param bias added to logits
    /// @param only if not empty, the tokens that may come
    int best(Map<Integer, Double> bias, Set<Integer> only) {
        var candidates =
                only.isEmpty() ? Stream.concat(likely.keySet().stream(), bias.keySet().stream()) : only.stream();
        return candidates
                .max(Comparator.<Integer>comparingDouble(token -> logit(token) + bias.getOrDefault(token, 0.0))
                        .thenComparing(Comparator.reverseOrder()))
                .orElseThrow();
    }

    double logprob(int token) {
        double total = likely.values().stream().mapToDouble(Math::exp).sum()
                + (SpecialTokens.FIRST - likely.size()) * Math.exp(UNLIKELY);
        return logit(token) - Math.log(total);
    }

    /// The most probable tokens, best first.
    int[] top(int count) {
        return likely.keySet().stream()
                .sorted(Comparator.comparingDouble(token -> -logit(token)))
                .mapToInt(Integer::intValue)
                .limit(count)
                .toArray();
    }
}
