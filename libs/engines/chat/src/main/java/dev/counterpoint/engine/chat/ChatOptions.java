package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.probe.OperatorWord;
import dev.counterpoint.engine.http.UpstreamAccess;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The servers of the engine, and the ways in which its model shows its reasoning.
///
/// @param model name of the model, as clients name it
/// @param upstreamModel the name under which the servers serve it
/// @param access where they are, without the `/v1`
/// @param slots generations at once, on all servers together
/// @param contextLength tokens of prompt and output of one generation, as our tokenizer counts them
/// @param reasoning how the model shows its reasoning, as the operator says, in their order; empty leaves
///     it to what is found out
/// @param knowing how it is found out
/// @param maxTokens sent with requests that have no limit of their own; null sends none
public record ChatOptions(
        String model,
        String upstreamModel,
        UpstreamAccess access,
        int slots,
        int contextLength,
        List<ReasoningStrategy> reasoning,
        Knowing knowing,
        @Nullable Integer maxTokens) {
    /// How the model is got to know.
    ///
    /// @param word what the operator says of it
    /// @param tries whether the model is tried with a few short requests
    /// @param questionTimeout for each answer of a server about itself
    /// @param trialTimeout for each answer of the model when it is tried; jobs wait for the trial so long
    ///     at most
    /// @param askInterval between two questions whether the model is still the same
    public record Knowing(
            OperatorWord word, boolean tries, Duration questionTimeout, Duration trialTimeout, Duration askInterval) {
        /// The worker finds out by itself.
        public static final Knowing DEFAULT = new Knowing(
                OperatorWord.NONE, true, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1));

        public Knowing {
            for (var time : List.of(questionTimeout, trialTimeout, askInterval)) {
                if (!time.isPositive()) {
                    throw new IllegalArgumentException("a time is not positive");
                }
            }
        }

        /// The same with another word of the operator.
        public Knowing with(OperatorWord other) {
            return new Knowing(other, tries, questionTimeout, trialTimeout, askInterval);
        }

        /// The same without requests to the model.
        public Knowing withoutTrial() {
            return new Knowing(word, false, questionTimeout, trialTimeout, askInterval);
        }
    }

    public ChatOptions {
        if (slots < 1 || contextLength < 2) {
            throw new IllegalArgumentException("slots or contextLength is too small");
        }
        reasoning = List.copyOf(reasoning);
    }

    /// What the operator says of the model.
    OperatorWord word() {
        return reasoning.isEmpty()
                ? knowing.word
                : knowing.word.withStrategies(
                        ReasoningStrategy.unmarked(reasoning), ReasoningStrategy.names(reasoning));
    }
}
