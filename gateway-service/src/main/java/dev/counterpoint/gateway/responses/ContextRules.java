package dev.counterpoint.gateway.responses;

import dev.counterpoint.gateway.turn.Rules;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.ContextManagement;
import dev.counterpoint.openai.responses.CreateResponse;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/// What a request says about a conversation that grows too long.
final class ContextRules {
    private static final String PARAM = "context_management";
    private static final int THRESHOLD_MIN = 1_000;
    private static final double USUAL_SHARE = 0.8;

    private ContextRules() {}

    /// @throws WireException that names the member
    static void check(CreateResponse request) {
        var entries = entries(request);
        if (entries.size() > 1) {
            throw Rules.invalid(PARAM, "at most one entry is taken.");
        }
        for (var entry : entries) {
            Rules.oneOf(PARAM + "[0].type", entry.type(), List.of("compaction"));
            Rules.integer(PARAM + "[0].compact_threshold", entry.compactThreshold(), THRESHOLD_MIN, Integer.MAX_VALUE);
        }
    }

    /// From how many tokens of prompt on the conversation is compacted: what the request says, else a share of what the
    /// model takes; empty for never.
    ///
    /// @param contextLength of the model, in tokens
    static OptionalInt threshold(CreateResponse request, int contextLength) {
        return entries(request).stream()
                .mapToInt(entry ->
                        Objects.requireNonNullElse(entry.compactThreshold(), (int) (contextLength * USUAL_SHARE)))
                .findFirst();
    }

    private static List<ContextManagement> entries(CreateResponse request) {
        return Objects.requireNonNullElse(request.contextManagement(), List.of());
    }
}
