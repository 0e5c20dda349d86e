package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.http.UpstreamAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The servers of the engine, and the ways in which its model shows its reasoning.
///
/// @param model name of the model, as clients name it
/// @param upstreamModel the name under which the servers serve it
/// @param access where they are, without the `/v1`
/// @param slots generations at once, on all servers together
/// @param contextLength tokens of prompt and output of one generation, as our tokenizer counts them
/// @param reasoning how the model shows its reasoning; at least one, in their order
/// @param sendsSchema whether the servers take `response_format` with a JSON schema
/// @param maxTokens sent with requests that have no limit of their own; null sends none
public record ChatOptions(
        String model,
        String upstreamModel,
        UpstreamAccess access,
        int slots,
        int contextLength,
        List<ReasoningStrategy> reasoning,
        boolean sendsSchema,
        @Nullable Integer maxTokens) {
    public ChatOptions {
        if (reasoning.isEmpty()) {
            throw new IllegalArgumentException("no strategy");
        }
        if (slots < 1 || contextLength < 2) {
            throw new IllegalArgumentException("slots or contextLength is too small");
        }
        reasoning = List.copyOf(reasoning);
    }
}
