package dev.counterpoint.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rules by which the next token is drawn.
///
/// @param temperature 0 (always the best) to 2
/// @param topP in (0, 1]; 1 cuts nothing
/// @param minP in [0, 1); 0 cuts nothing
/// @param presencePenalty -2 to 2
/// @param frequencyPenalty -2 to 2
/// @param logitBias added to a token's logit; -100 bans it
/// @param seed the draw at output position n is a function of seed and n, so that a resumed attempt draws
///     alike; null lets the engine choose one
/// @param topLogprobs how many alternatives to report, 0 to 20; null reports no log probabilities at all
public record Sampling(
        double temperature,
        double topP,
        double minP,
        double presencePenalty,
        double frequencyPenalty,
        Map<Integer, Double> logitBias,
        @Nullable Long seed,
        @Nullable Integer topLogprobs) {

    /// As OpenAI's defaults have it: temperature 1, nothing cut, nothing penalised.
    public static final Sampling DEFAULT = new Sampling(1, 1, 0, 0, 0, Map.of(), null, null);

    /// Always the best token.
    public static final Sampling GREEDY = new Sampling(0, 1, 0, 0, 0, Map.of(), null, null);

    public Sampling {
        check("temperature", temperature >= 0 && temperature <= 2);
        check("topP", topP > 0 && topP <= 1);
        check("minP", minP >= 0 && minP < 1);
        check("presencePenalty", Math.abs(presencePenalty) <= 2);
        check("frequencyPenalty", Math.abs(frequencyPenalty) <= 2);
        check("topLogprobs", topLogprobs == null || (topLogprobs >= 0 && topLogprobs <= 20));
        logitBias = Map.copyOf(logitBias);
    }

    public Sampling withSeed(long newSeed) {
        return new Sampling(
                temperature, topP, minP, presencePenalty, frequencyPenalty, logitBias, newSeed, topLogprobs);
    }

    public Sampling withTopLogprobs(int alternatives) {
        return new Sampling(temperature, topP, minP, presencePenalty, frequencyPenalty, logitBias, seed, alternatives);
    }

    public Sampling withLogitBias(Map<Integer, Double> bias) {
        return new Sampling(temperature, topP, minP, presencePenalty, frequencyPenalty, bias, seed, topLogprobs);
    }

    private static void check(String name, boolean inRange) {
        if (!inRange) {
            throw new IllegalArgumentException(name + " is out of range");
        }
    }
}
