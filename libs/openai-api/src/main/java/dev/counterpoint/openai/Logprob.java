package dev.counterpoint.openai;

import java.util.List;

/// A generated token with its natural-log probability; `bytes` are its UTF-8 bytes, 0 to 255 each.
public record Logprob(String token, double logprob, List<Integer> bytes, List<Alternative> topLogprobs) {
    public Logprob {
        bytes = List.copyOf(bytes);
        topLogprobs = List.copyOf(topLogprobs);
    }

    /// One of the most likely tokens at the same place.
    public record Alternative(String token, double logprob, List<Integer> bytes) {
        public Alternative {
            bytes = List.copyOf(bytes);
        }
    }
}
