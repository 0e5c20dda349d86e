package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.access.ReasoningMode;
import dev.counterpoint.gateway.turn.Efforts;
import dev.counterpoint.gateway.turn.Rules;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.ReasoningOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the Responses API asks for: raw reasoning comes with the key, a summary when the request wants one.
public final class ResponsesReasoning {
    private ResponsesReasoning() {}

    /// Checks what can be checked without knowing who asks.
    ///
    /// @throws WireException that names the member
    public static void check(@Nullable ReasoningOptions options) {
        if (options == null) {
            return;
        }
        Rules.oneOf("reasoning.summary", options.summary(), Details.WORDS);
        Rules.oneOf("reasoning.generate_summary", options.generateSummary(), Details.WORDS);
        Rules.oneOf("reasoning.context", options.context(), List.of("auto", "current_turn", "all_turns"));
        if ("all_turns".equals(options.context())) {
            throw Rules.unsupportedValue(
                    "reasoning.context", "all_turns", "The model sees the reasoning of the open turn.");
        }
        Rules.oneOf("reasoning.mode", options.mode(), List.of("standard", "pro"));
        if ("pro".equals(options.mode())) {
            throw Rules.unsupportedValue("reasoning.mode", "pro", "There is one mode, 'standard'.");
        }
    }

    /// Settles what the caller gets: by what it asks for, else by the deployment's default.
    ///
    /// @throws dev.counterpoint.gateway.problem.ProblemException 403 that names the missing scope
    public static ReasoningGrant grant(@Nullable ReasoningOptions options, Caller caller, ReasoningMode usual) {
        var word = summary(options);
        if (word == null) {
            return ReasoningGrant.of(caller.reasoning(null, usual), SummaryJob.Detail.AUTO);
        }
        caller.reasoning(ReasoningMode.SUMMARY, usual);
        return new ReasoningGrant(caller.mayRead(ReasoningMode.FULL), Details.named(word));
    }

    /// How many tokens the analysis may have: none where the effort says so; null for no bound.
    public static @Nullable Integer tokensMax(@Nullable ReasoningOptions options) {
        return options != null && Efforts.NONE.equals(options.effort()) ? Integer.valueOf(0) : null;
    }

    private static @Nullable String summary(@Nullable ReasoningOptions options) {
        if (options == null) {
            return null;
        }
        return options.summary() == null ? options.generateSummary() : options.summary();
    }
}
