package dev.counterpoint.engine.llama.sampling;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenMask;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Draws the tokens of one sequence from the logits of each step. Not thread-safe; each step may be another thread's.
///
/// In this order: logit bias and penalties, the mask, log probabilities, temperature, top-p and min-p. The draw at
/// output position n is a function of the seed and n, so that another worker goes on as this one would have. Penalties
/// count what was said, prefix included, and not the prompt.
public final class TokenSampler {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final Sampling sampling;
    private final TokenMask mask;
    private final long seed;
    private final Map<Integer, Integer> said = new HashMap<>();
    private int position;

    /// Takes the prefix through mask and penalties.
    ///
    /// @param seed for the request that names none
    /// @throws IllegalArgumentException when the mask refuses the prefix
    public TokenSampler(GenerationRequest request, long seed) {
        this.sampling = request.sampling();
        this.mask = request.mask();
        this.seed = sampling.seed() == null ? seed : sampling.seed();
        for (int token : request.prefix()) {
            accept(token);
        }
    }

    /// The next token, which is then taken as said.
    ///
    /// @param step as many floats as the vocabulary has tokens; not written to
    /// @param distribution memory of the thread that draws
    /// @return null when the mask allows no token
    public Step.@Nullable Token draw(MemorySegment step, Distribution distribution) {
        distribution.read(step, mask.allowed());
        bias(distribution);
        if (!distribution.prepare()) {
            return null;
        }
        int token = sampling.temperature() == 0
                ? distribution.best()
                : distribution.draw(sampling.temperature(), sampling.topP(), sampling.minP(), chance());
        var alternatives = sampling.topLogprobs();
        var logprobs = alternatives == null ? null : distribution.logprobs(token, alternatives);
        accept(token);
        return new Step.Token(token, logprobs);
    }

    private void accept(int token) {
        mask.accept(token);
        said.merge(token, 1, Integer::sum);
        position++;
    }

    private void bias(Distribution distribution) {
        sampling.logitBias().forEach((token, bias) -> distribution.add(token, bias.floatValue()));
        double once = sampling.presencePenalty();
        double each = sampling.frequencyPenalty();
        if (once != 0 || each != 0) {
            said.forEach((token, times) -> distribution.add(token, -(float) (once + each * times)));
        }
    }

    /// In [0, 1): one number for each position, as SplittableRandom mixes them.
    private double chance() {
        long bits = seed + GOLDEN * (position + 1);
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return ((bits ^ bits >>> 31) >>> 11) * 0x1.0p-53;
    }
}
