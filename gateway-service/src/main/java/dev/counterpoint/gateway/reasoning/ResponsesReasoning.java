package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.request.ReasoningEfforts;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.ReasoningOptions;
import dev.counterpoint.openai.responses.ReasoningWish;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the Responses API asks for. By the contract's object raw reasoning comes with the key, and a
/// summary when the request wants one; by a mode's name exactly that.
public final class ResponsesReasoning {
    public static final String CURRENT_TURN = "current_turn";
    public static final String ALL_TURNS = "all_turns";

    private ResponsesReasoning() {}

    /// Checks what can be checked without knowing who asks.
    ///
    /// @throws WireException that names the member
    public static void check(@Nullable ReasoningWish wish) {
        switch (wish) {
            case null -> {}
            case ReasoningWish.Mode(String mode) -> ReasoningModes.named("reasoning", mode);
            case ReasoningOptions options -> check(options);
        }
    }

    private static void check(ReasoningOptions options) {
        RequestRules.oneOf("reasoning.summary", options.summary(), SummaryDetails.WORDS);
        RequestRules.oneOf("reasoning.generate_summary", options.generateSummary(), SummaryDetails.WORDS);
        RequestRules.oneOf("reasoning.context", options.context(), List.of("auto", CURRENT_TURN, ALL_TURNS));
        RequestRules.oneOf("reasoning.mode", options.mode(), List.of("standard", "pro"));
        if ("pro".equals(options.mode())) {
            throw RequestRules.unsupportedValue("reasoning.mode", "pro", "There is one mode, 'standard'.");
        }
    }

    /// Settles what the caller gets: by what it asks for, else by the deployment's default.
    ///
    /// @throws dev.counterpoint.servicekit.ProblemException 403 that names the missing scope
    public static ReasoningGrant grant(@Nullable ReasoningWish wish, Caller caller, ReasoningMode usual) {
        if (wish instanceof ReasoningWish.Mode(String mode)) {
            return ReasoningGrant.of(
                    caller.reasoning(ReasoningModes.named("reasoning", mode), usual), SummaryJob.Detail.AUTO);
        }
        var word = summary(wish);
        if (word == null) {
            return ReasoningGrant.of(caller.reasoning(null, usual), SummaryJob.Detail.AUTO);
        }
        caller.reasoning(ReasoningMode.SUMMARY, usual);
        return new ReasoningGrant(caller.mayRead(ReasoningMode.FULL), SummaryDetails.named(word));
    }

    /// The bound of the analysis in tokens: 0 where the effort says so, null for no bound.
    public static @Nullable Integer tokensMax(@Nullable ReasoningWish wish) {
        return wish != null && ReasoningEfforts.NONE.equals(wish.options().effort()) ? Integer.valueOf(0) : null;
    }

    private static @Nullable String summary(@Nullable ReasoningWish wish) {
        if (wish == null) {
            return null;
        }
        var options = wish.options();
        return options.summary() == null ? options.generateSummary() : options.summary();
    }
}
