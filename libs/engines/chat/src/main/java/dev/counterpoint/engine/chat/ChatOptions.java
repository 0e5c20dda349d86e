package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.probe.OperatorSettings;
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
/// @param reasoning the operator's strategies, in their order; empty leaves them to server and family
/// @param knowing how the worker learns about the model
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
    /// How the worker learns about the model.
    ///
    /// @param settings of the operator
    /// @param questionTimeout for each answer of a server about itself
    /// @param askInterval between two questions whether the model is still the same
    public record Knowing(OperatorSettings settings, Duration questionTimeout, Duration askInterval) {
        /// Everything is left to the worker.
        public static final Knowing DEFAULT =
                new Knowing(OperatorSettings.NONE, Duration.ofSeconds(10), Duration.ofMinutes(1));
    }

    public ChatOptions {
        if (slots < 1 || contextLength < 2) {
            throw new IllegalArgumentException("slots or contextLength is too small");
        }
        reasoning = List.copyOf(reasoning);
    }
}
