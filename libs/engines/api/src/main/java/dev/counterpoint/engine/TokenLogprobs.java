package dev.counterpoint.engine;

import java.util.List;

/// Natural logarithms of the probabilities at one step, after the mask and before temperature: each at most 0.
///
/// @param logprob of the token that was chosen
/// @param top the most probable tokens, best first, as many as the request asked for, or fewer
public record TokenLogprobs(double logprob, List<Alternative> top) {
    public TokenLogprobs {
        top = List.copyOf(top);
    }

    /// One token that could have come, whether it came or not.
    public record Alternative(int token, double logprob) {}
}
