package dev.counterpoint.gateway.responses;

import dev.counterpoint.gateway.reasoning.ResponsesReasoning;
import dev.counterpoint.gateway.turn.Formats;
import dev.counterpoint.gateway.turn.Rules;
import dev.counterpoint.gateway.turn.ServiceTier;
import dev.counterpoint.gateway.turn.Verbosity;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.TextOptions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rules of `POST /v1/responses` that need nothing but the request. What is not built is refused by name where
/// leaving it out would change what the caller gets.
final class ResponsesRules {
    static final String LOGPROBS = "message.output_text.logprobs";
    private static final String NOT_BUILT = "It is not served here.";
    private static final String NOT_HERE = "The Responses API has no such member.";
    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("messages", "In the Responses API it is 'input'."),
            Map.entry("response_format", "In the Responses API it is 'text.format'."),
            Map.entry("max_tokens", "In the Responses API it is 'max_output_tokens'."),
            Map.entry("max_completion_tokens", "In the Responses API it is 'max_output_tokens'."),
            Map.entry("reasoning_effort", "In the Responses API it is 'reasoning.effort'."),
            Map.entry("stop", NOT_HERE),
            Map.entry("seed", NOT_HERE),
            Map.entry("n", NOT_HERE),
            Map.entry("logprobs", "In the Responses API it is 'top_logprobs'."),
            Map.entry("logit_bias", NOT_HERE),
            Map.entry("presence_penalty", NOT_HERE),
            Map.entry("frequency_penalty", NOT_HERE));

    private ResponsesRules() {}

    /// @throws WireException that names the member
    static void check(CreateResponse request) {
        if (request.model() == null || request.model().isBlank()) {
            throw Rules.missing("model");
        }
        Rules.refuseMembers(request.otherMembers(), REFUSED);
        ContextRules.check(request);
        Rules.refuse("moderation", request.moderation(), NOT_BUILT);
        conversation(request);
        boolean goesOn = request.previousResponseId() != null || request.conversation() != null;
        if (request.input() == null && !goesOn && request.prompt() == null) {
            throw Rules.missing("input");
        }
        Rules.decimal("temperature", request.temperature(), 0, 2);
        Rules.decimal("top_p", request.topP(), 0, 1);
        Rules.integer("top_logprobs", request.topLogprobs(), 0, 20);
        Rules.integer("max_output_tokens", request.maxOutputTokens(), 1, Integer.MAX_VALUE);
        Rules.integer("max_tool_calls", request.maxToolCalls(), 1, Integer.MAX_VALUE);
        Rules.metadata(request.metadata());
        ServiceTier.check(request.serviceTier());
        Rules.cacheRetention(request.promptCacheRetention());
        ResponsesReasoning.check(request.reasoning());
        include(request.include());
        Formats.check(
                request.responseSchema(),
                "text.format",
                request.text() == null ? null : request.text().format());
        text(request.text());
        delivery(request);
    }

    private static void conversation(CreateResponse request) {
        if (request.conversation() == null) {
            return;
        }
        if (request.previousResponseId() != null) {
            throw Rules.invalid("conversation", "it excludes 'previous_response_id'.");
        }
        if (Boolean.FALSE.equals(request.store())) {
            throw Rules.invalid("conversation", "what is said in it is kept, so 'store' cannot be false.");
        }
    }

    private static void include(@Nullable List<String> include) {
        if (include != null) {
            for (int i = 0; i < include.size(); i++) {
                Rules.oneOf("include[" + i + "]", include.get(i), InputItems.INCLUDES);
            }
        }
    }

    private static void text(@Nullable TextOptions text) {
        Verbosity.check("text.verbosity", text == null ? null : text.verbosity());
    }

    private static void delivery(CreateResponse request) {
        boolean background = Boolean.TRUE.equals(request.background());
        if (background && Boolean.FALSE.equals(request.store())) {
            throw Rules.invalid("background", "a background response has to be stored.");
        }
        Rules.oneOf("truncation", request.truncation(), List.of("auto", "disabled"));
    }
}
