package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.gateway.access.Caller;
import dev.counterpoint.gateway.access.ReasoningMode;
import dev.counterpoint.gateway.turn.Rules;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.ReasoningOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the Responses API asks for: raw reasoning comes with the key, a summary when the request wants one.
public final class ResponsesReasoning {
    private static final List<String> SUMMARIES = List.of("auto", "concise", "detailed");

    private ResponsesReasoning() {}

    /// Checks what can be checked without knowing who asks.
    ///
    /// @throws WireException that names the member
    public static void check(@Nullable ReasoningOptions options) {
        if (options == null) {
            return;
        }
        Rules.oneOf("reasoning.summary", options.summary(), SUMMARIES);
        Rules.oneOf("reasoning.generate_summary", options.generateSummary(), SUMMARIES);
        if (options.summary() != null && options.generateSummary() != null) {
            throw Rules.invalid("reasoning.generate_summary", "it excludes 'reasoning.summary'.");
        }
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

    /// Settles what the caller gets.
    ///
    /// @throws dev.counterpoint.gateway.problem.ProblemException 403 that names the missing scope
    public static ReasoningGrant grant(@Nullable ReasoningOptions options, Caller caller) {
        boolean asked = options != null && (options.summary() != null || options.generateSummary() != null);
        if (asked) {
            caller.reasoning(ReasoningMode.SUMMARY, ReasoningMode.NONE);
        }
        return new ReasoningGrant(caller.mayRead(ReasoningMode.FULL), asked);
    }
}
