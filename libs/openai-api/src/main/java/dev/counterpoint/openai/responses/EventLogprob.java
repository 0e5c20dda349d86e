package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.LazyList;
import dev.counterpoint.openai.Logprob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A token's probability as text events tell it: the contract asks for less than in the finished item.
///
/// @param bytes the token's UTF-8, 0 to 255 each; the contract does not have it here, ours say it
public record EventLogprob(
        String token,
        double logprob,
        @Nullable List<Integer> bytes,
        @Nullable List<Alternative> topLogprobs) {
    public EventLogprob {
        bytes = bytes == null ? null : List.copyOf(bytes);
        topLogprobs = topLogprobs == null ? null : List.copyOf(topLogprobs);
    }

    /// One of the most likely tokens at the same place.
    public record Alternative(
            @Nullable String token,
            @Nullable Double logprob,
            @Nullable List<Integer> bytes) {
        public Alternative {
            bytes = bytes == null ? null : List.copyOf(bytes);
        }
    }

    /// The same, for an event; lazy where the list is.
    public static List<EventLogprob> of(List<Logprob> logprobs) {
        return LazyList.map(logprobs, EventLogprob::of);
    }

    private static EventLogprob of(Logprob logprob) {
        return new EventLogprob(
                logprob.token(),
                logprob.logprob(),
                logprob.bytes(),
                logprob.topLogprobs().stream()
                        .map(other -> new Alternative(other.token(), other.logprob(), other.bytes()))
                        .toList());
    }
}
