package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.request.ReasoningEfforts;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.chat.IncludeReasoning;
import dev.counterpoint.openai.chat.ReasoningRequest;
import dev.counterpoint.openai.json.WireException;
import org.jspecify.annotations.Nullable;

/// The reasoning that a chat request asks for: by OpenRouter's object, a mode's name, or the older
/// `include_reasoning`.
///
/// @param wish what to show, or null when the request names nothing
/// @param detail how detailed a summary is, should it be one
/// @param convention whether it is shown in OpenRouter's form, `reasoning` with `reasoning_details`, or in that of
///     the modes, where a summary is `reasoning_summary`
/// @param effort `low`, `medium` or `high`
/// @param effortSaid whether the request names it
/// @param tokensMax how many tokens the analysis may have; 0 for none at all, null for no bound
public record ChatReasoning(
        @Nullable Wish wish,
        SummaryJob.Detail detail,
        boolean convention,
        String effort,
        boolean effortSaid,
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
            throw RequestRules.invalid("include_reasoning", "it contradicts 'reasoning'.");
        }
        var reasoning = request.reasoning();
        boolean byMode = reasoning instanceof ReasoningRequest.Mode || request.includeReasoning() != null;
        return new ChatReasoning(
                byFlag != null ? byFlag : byReasoning,
                SummaryDetails.named(reasoning instanceof ReasoningRequest.Options options ? options.summary() : null),
                reasoning instanceof ReasoningRequest.Options || !byMode,
                effort(request),
                effortSaid(request),
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

    /// Whether what was granted is shown in OpenRouter's form. A summary that nobody named, because it is the
    /// deployment's default, is a `reasoning_summary`.
    public boolean convention(ReasoningGrant grant) {
        return convention && (wish != null || grant.raw());
    }

    private static @Nullable Wish wish(@Nullable ReasoningRequest reasoning) {
        return switch (reasoning) {
            case null -> null;
            case ReasoningRequest.Mode(String mode) -> named("reasoning", mode);
            case ReasoningRequest.Options options -> {
                RequestRules.integer("reasoning.max_tokens", options.maxTokens(), 1, Integer.MAX_VALUE);
                RequestRules.oneOf("reasoning.summary", options.summary(), SummaryDetails.WORDS);
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
        return switch (ReasoningModes.named(param, mode)) {
            case NONE -> Wish.NONE;
            case SUMMARY -> Wish.SUMMARY;
            case FULL -> Wish.FULL;
        };
    }

    private static @Nullable Integer tokensMax(ChatRequest request) {
        boolean offByEffort = ReasoningEfforts.NONE.equals(request.reasoningEffort());
        if (!(request.reasoning() instanceof ReasoningRequest.Options options)) {
            return offByEffort ? Integer.valueOf(0) : null;
        }
        boolean offByOptions =
                Boolean.FALSE.equals(options.enabled()) || ReasoningEfforts.NONE.equals(options.effort());
        return offByEffort || offByOptions ? Integer.valueOf(0) : options.maxTokens();
    }

    private static boolean effortSaid(ChatRequest request) {
        return request.reasoningEffort() != null
                || request.reasoning() instanceof ReasoningRequest.Options options && options.effort() != null;
    }

    private static String effort(ChatRequest request) {
        var shorthand = request.reasoningEffort();
        if (!(request.reasoning() instanceof ReasoningRequest.Options options)) {
            return ReasoningEfforts.of("reasoning_effort", shorthand);
        }
        var effort = options.effort();
        if (effort != null && shorthand != null && !effort.equals(shorthand)) {
            throw RequestRules.invalid("reasoning_effort", "it contradicts 'reasoning.effort'.");
        }
        if (Boolean.FALSE.equals(options.enabled())) {
            return ReasoningEfforts.of("reasoning.effort", ReasoningEfforts.NONE);
        }
        return effort == null
                ? ReasoningEfforts.of("reasoning_effort", shorthand)
                : ReasoningEfforts.of("reasoning.effort", effort);
    }
}
