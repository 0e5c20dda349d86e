package dev.counterpoint.gateway.api.chat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All that a replica needs to assemble a completion from its outputs; travels with it as its echo.
///
/// @param kind always [#KIND]: tells this echo from those of other APIs
/// @param model as the caller named it
/// @param rawReasoning whether the caller gets raw reasoning
/// @param summaryDue whether the caller asked for a summary of it
/// @param convention whether reasoning has OpenRouter's form instead of that of the modes
/// @param logprobs whether the caller asked for probabilities
/// @param usageInStream whether the chunks of a stream have the member `usage`
/// @param metadata of the request, for a stored completion
/// @param openCalls ids of the calls in the continued turn; null in older echoes
/// @param serviceTier that serves it; null when the caller did not ask for one
/// @param customTools names of those that the request offers; null for none
/// @param grammarTools names of those among them whose text the model writes as it is; null for none
/// @param choice which of several answers this is; null when there is one
/// @param obfuscated whether chunks are padded; null for no
/// @param notes warnings that are known before the model says anything; null for none
/// @param user the end user of the request, empty for none; null in echoes that do not say
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
        @Nullable String serviceTier,
        @Nullable List<String> customTools,
        @Nullable List<String> grammarTools,
        @Nullable Choice choice,
        @Nullable Boolean obfuscated,
        @Nullable List<String> notes,
        @Nullable String user) {
    static final String KIND = "chat";

    /// One of several answers to a request, each of which the model gives by itself.
    ///
    /// @param index from 0
    /// @param completion id of the completion that they make up, that of the first
    record Choice(int index, String completion) {}

    /// Names no person.
    @Override
    public String toString() {
        return "ChatPlan[model=" + model + "]";
    }

    /// The same for one of several answers.
    ChatPlan choice(int index, String id) {
        return new ChatPlan(
                kind,
                model,
                rawReasoning,
                summaryDue,
                convention,
                logprobs,
                usageInStream,
                metadata,
                openCalls,
                serviceTier,
                customTools,
                grammarTools,
                new Choice(index, id),
                obfuscated,
                notes,
                user);
    }

    /// True if a call of this name is of a custom tool.
    boolean isCustom(String tool) {
        return customTools != null && customTools.contains(tool);
    }

    /// True if the text for a custom tool of this name comes as the model writes it.
    boolean isPlain(String tool) {
        return grammarTools != null && grammarTools.contains(tool);
    }

    /// The position of the answer among those of its completion, from 0.
    int index() {
        return choice == null ? 0 : choice.index;
    }

    boolean padded() {
        return Boolean.TRUE.equals(obfuscated);
    }

    /// True if a summary of the reasoning is told as `reasoning_summary`.
    boolean summaryApart() {
        return !rawReasoning && !convention;
    }

    /// True if any member about reasoning may appear.
    boolean reasoningShown() {
        return rawReasoning || summaryDue;
    }
}
