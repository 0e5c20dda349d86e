package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.access.ReasoningMode;
import dev.counterpoint.gateway.turn.Efforts;
import dev.counterpoint.gateway.turn.Rules;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.IncludeReasoning;
import dev.counterpoint.openai.chat.ReasoningRequest;
import dev.counterpoint.openai.json.WireException;
import org.jspecify.annotations.Nullable;

/// The reasoning that a chat request asks for: by OpenRouter's object, a mode's name, or the older `include_reasoning`.
///
/// @param wish what to show, or null when the request names nothing
/// @param detail how detailed a summary is, should it be one
/// @param convention whether it is shown in OpenRouter's form, `reasoning` with `reasoning_details`, or in that of the
///     modes, where a summary is `reasoning_summary`
/// @param effort `low`, `medium` or `high`
/// @param tokensMax how many tokens the analysis may have; 0 for none at all, null for no bound
public record ChatReasoning(
        @Nullable Wish wish,
        SummaryJob.Detail detail,
        boolean convention,
        String effort,
        @Nullable Integer tokensMax) {
    /// The reasoning to show; `MOST` is as much as the key allows.
    enum Wish {
        NONE,
        SUMMARY,
        FULL,
        MOST
    }

    /// Reads the request.
    ///
    /// @throws WireException that names the member when it is wrong or two members disagree
    public static ChatReasoning of(ChatRequest request) {
        var byReasoning = wish(request.reasoning());
        var byFlag = wish(request.includeReasoning());
        if (byReasoning != null && byFlag != null && byReasoning != byFlag && byReasoning != Wish.MOST) {
            throw Rules.invalid("include_reasoning", "it contradicts 'reasoning'.");
        }
        var reasoning = request.reasoning();
        boolean byMode = reasoning instanceof ReasoningRequest.Mode || request.includeReasoning() != null;
        return new ChatReasoning(
                byFlag != null ? byFlag : byReasoning,
                Details.named(reasoning instanceof ReasoningRequest.Options options ? options.summary() : null),
                reasoning instanceof ReasoningRequest.Options || !byMode,
                effort(request),
                tokensMax(request));
    }

    /// Settles what the caller gets.
    ///
    /// @param usual the deployment's default
    /// @throws dev.counterpoint.servicekit.ProblemException 403 that names the missing scope
    public ReasoningGrant grant(Caller caller, ReasoningMode usual) {
        return ReasoningGrant.of(
                switch (wish) {
                    case null -> caller.reasoning(null, usual);
                    case NONE -> ReasoningMode.NONE;
                    case SUMMARY -> caller.reasoning(ReasoningMode.SUMMARY, usual);
                    case FULL -> caller.reasoning(ReasoningMode.FULL, usual);
                    case MOST -> caller.reasoning(null, ReasoningMode.SUMMARY);
                },
                detail);
    }

    private static @Nullable Wish wish(@Nullable ReasoningRequest reasoning) {
        return switch (reasoning) {
            case null -> null;
            case ReasoningRequest.Mode(String mode) -> named("reasoning", mode);
            case ReasoningRequest.Options options -> {
                Rules.integer("reasoning.max_tokens", options.maxTokens(), 1, Integer.MAX_VALUE);
                Rules.oneOf("reasoning.summary", options.summary(), Details.WORDS);
                boolean hidden = Boolean.TRUE.equals(options.exclude()) || Boolean.FALSE.equals(options.enabled());
                yield hidden ? Wish.NONE : Wish.MOST;
            }
        };
    }

    private static @Nullable Wish wish(@Nullable IncludeReasoning include) {
        return switch (include) {
            case null -> null;
            case IncludeReasoning.Flag(boolean included) -> included ? Wish.MOST : Wish.NONE;
            case IncludeReasoning.Mode(String mode) -> named("include_reasoning", mode);
        };
    }

    private static Wish named(String param, String mode) {
        return switch (Modes.named(param, mode)) {
            case NONE -> Wish.NONE;
            case SUMMARY -> Wish.SUMMARY;
            case FULL -> Wish.FULL;
        };
    }

    private static @Nullable Integer tokensMax(ChatRequest request) {
        boolean offByEffort = Efforts.NONE.equals(request.reasoningEffort());
        if (!(request.reasoning() instanceof ReasoningRequest.Options options)) {
            return offByEffort ? Integer.valueOf(0) : null;
        }
        boolean offByOptions = Boolean.FALSE.equals(options.enabled()) || Efforts.NONE.equals(options.effort());
        return offByEffort || offByOptions ? Integer.valueOf(0) : options.maxTokens();
    }

    private static String effort(ChatRequest request) {
        var shorthand = request.reasoningEffort();
        if (!(request.reasoning() instanceof ReasoningRequest.Options options)) {
            return Efforts.of("reasoning_effort", shorthand);
        }
        var effort = options.effort();
        if (effort != null && shorthand != null && !effort.equals(shorthand)) {
            throw Rules.invalid("reasoning_effort", "it contradicts 'reasoning.effort'.");
        }
        if (Boolean.FALSE.equals(options.enabled())) {
            return Efforts.of("reasoning.effort", Efforts.NONE);
        }
        return effort == null ? Efforts.of("reasoning_effort", shorthand) : Efforts.of("reasoning.effort", effort);
    }
}
