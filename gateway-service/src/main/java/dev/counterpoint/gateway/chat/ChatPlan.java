package dev.counterpoint.gateway.chat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All that a replica needs to assemble a completion from its outputs; travels with it as its echo.
///
/// @param kind always [#KIND]: tells this echo from those of other APIs
/// @param model as the caller named it
/// @param rawReasoning whether the caller gets raw reasoning
/// @param summaryDue whether the caller asked for a summary of it
/// @param convention whether reasoning is told in OpenRouter's form rather than in that of the modes
/// @param logprobs whether the caller asked for probabilities
/// @param usageInStream whether a stream ends with a chunk that carries the usage
/// @param metadata of the request, for a stored completion
/// @param openCalls ids of the calls in the turn that the completion goes on with; null in echoes that do not say
/// @param serviceTier that serves it; null when the caller did not ask for one
record ChatPlan(
        String kind,
        String model,
        boolean rawReasoning,
        boolean summaryDue,
        boolean convention,
        boolean logprobs,
        boolean usageInStream,
        @Nullable Map<String, String> metadata,
        @Nullable List<String> openCalls,
        @Nullable String serviceTier) {
    static final String KIND = "chat";

    ChatPlan(
            String model,
            boolean rawReasoning,
            boolean summaryDue,
            boolean convention,
            boolean logprobs,
            boolean usageInStream,
            @Nullable Map<String, String> metadata) {
        this(KIND, model, rawReasoning, summaryDue, convention, logprobs, usageInStream, metadata, null, null);
    }

    /// Whether a summary of the reasoning is told as `reasoning_summary`.
    boolean summaryApart() {
        return !rawReasoning && !convention;
    }

    /// Whether any member about reasoning may appear.
    boolean reasoningShown() {
        return rawReasoning || summaryDue;
    }
}
