package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.TokenMask;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Log probabilities as a sure model would have them, a function of position and token: the chosen token
/// between 0.7 and 0.99, each alternative a third of what the ones before left over.
final class MadeUpLogprobs {
    private static final int ORDINARY_IDS = 199_998;
    private static final int TRIES_PER_ALTERNATIVE = 8;

    private MadeUpLogprobs() {}

    static TokenLogprobs of(int position, int token, int alternatives, long @Nullable [] allowed) {
        long hash = mix(31L * position + token);
        double probability = 0.7 + 0.29 * (hash >>> 11) / (double) (1L << 53);
        var top = new ArrayList<Alternative>();
        if (alternatives > 0) {
            top.add(new Alternative(token, Math.log(probability)));
        }
        double left = 1 - probability;
        for (int i = 0; i < alternatives * TRIES_PER_ALTERNATIVE && top.size() < alternatives; i++) {
            hash = mix(hash);
            int other = (int) Math.floorMod(hash, (long) ORDINARY_IDS);
            if (TokenMask.allows(allowed, other) && top.stream().noneMatch(one -> one.token() == other)) {
                top.add(new Alternative(other, Math.log(left / 3)));
                left -= left / 3;
            }
        }
        return new TokenLogprobs(Math.log(probability), top);
    }

    /// Spreads the bits of a number: a step of SplitMix64.
    static long mix(long value) {
        return new SplittableRandom(value).nextLong();
    }
}
