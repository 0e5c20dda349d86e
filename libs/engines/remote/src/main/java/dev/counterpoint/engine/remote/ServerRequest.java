package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Urgency;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One request to a server: go on after these ids.
///
/// @param ids the prompt and what was said so far; not to be written to
/// @param promptLength of these, how many are the prompt
/// @param maxTokens of the answer
/// @param only if not empty, the tokens that may come
/// @param banned tokens that must not come
/// @param grammar of the whole answer, which the server is to enforce, or null
/// @param server what is known of the one that is asked
record ServerRequest(
        int[] ids,
        int promptLength,
        int maxTokens,
        Sampling sampling,
        Set<Integer> stopTokens,
        Set<Integer> only,
        Set<Integer> banned,
        @Nullable String grammar,
        String cacheSalt,
        @Nullable String model,
        Urgency urgency,
        ServerProfile server) {
    /// As vLLM's V2 runner has it.
    static final int BIASES_MAX = 1024;

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    /// Where among those that wait the server puts this request; null where it takes none. None is 0, which all have
    /// that tell nothing.
    @Nullable
    Integer priority() {
        int later = urgency.compareTo(Urgency.NORMAL);
        return switch (server.priorities()) {
            case NONE -> null;
            case LOWEST_FIRST -> later;
            case HIGHEST_FIRST -> -later;
        };
    }

    /// The seed for a server that draws by seed and position where [ServerProfile#drawsByPosition] says so.
    @Nullable
    Long seed() {
        return server.drawsByPosition() ? seedOfOutput() : seedFromHere();
    }

    /// A seed for a server whose own counter begins with each request: at the start of an output the
    /// caller's own, later a function of it and of the length so far. In [0, 2^31), which every server
    /// takes.
    @Nullable
    Long seedFromHere() {
        var seed = sampling.seed();
        return seed == null ? null : narrow(seed + GOLDEN * (ids.length - promptLength));
    }

    /// The same for the whole output, for a server that draws by seed and position. In [0, 2^31).
    @Nullable
    Long seedOfOutput() {
        var seed = sampling.seed();
        return seed == null ? null : narrow(seed);
    }

    private static long narrow(long seed) {
        boolean narrow = seed == (seed & Integer.MAX_VALUE);
        return narrow ? seed : (seed ^ (seed >>> 32)) & Integer.MAX_VALUE;
    }

    /// Summands of logits where the server counts only its own new tokens for the penalties: the
    /// caller's bias, and the penalties for what was said before this request. Frequency is exact; a
    /// token of before that comes again counts as present twice.
    Map<Integer, Double> biasOfOutput() {
        return bias(promptLength, ids.length, -1);
    }

    /// What to add to logits where the server counts the prompt too: the caller's bias, and the
    /// prompt's penalties taken back. Frequency is exact; a token of the prompt does not count as
    /// present in the output.
    Map<Integer, Double> biasWithoutPrompt() {
        return bias(0, promptLength, 1);
    }

    /// The bias with the banned tokens, as many entries as servers take: vLLM's engine dies of more. The bans go first,
    /// then what weighs most.
    ///
    /// @param bias of other tokens
    /// @param ban what a banned token gets
    Map<Integer, Double> withBans(Map<Integer, Double> bias, double ban) {
        var capped = new TreeMap<Integer, Double>();
        banned.stream().sorted().limit(BIASES_MAX).forEach(token -> capped.put(token, ban));
        bias.entrySet().stream()
                .filter(entry -> !banned.contains(entry.getKey()))
                .sorted(Comparator.comparingDouble(entry -> -Math.abs(entry.getValue())))
                .limit(BIASES_MAX - capped.size())
                .forEach(entry -> capped.put(entry.getKey(), entry.getValue()));
        return capped;
    }

    private Map<Integer, Double> bias(int from, int to, int sign) {
        if (!server.takesBias()) {
            return new TreeMap<>();
        }
        var bias = new TreeMap<>(sampling.logitBias());
        double presence = sign * sampling.presencePenalty();
        double frequency = sign * sampling.frequencyPenalty();
        if (presence == 0 && frequency == 0) {
            return bias;
        }
        var counts = new TreeMap<Integer, Integer>();
        Arrays.stream(ids, from, to).forEach(id -> counts.merge(id, 1, Integer::sum));
        counts.forEach((id, count) -> bias.merge(id, presence + count * frequency, Double::sum));
        return bias;
    }
}
