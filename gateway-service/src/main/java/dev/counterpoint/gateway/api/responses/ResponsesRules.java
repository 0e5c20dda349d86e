package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.reasoning.ResponsesReasoning;
import dev.counterpoint.gateway.reasoning.SummaryTierWish;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.request.ServiceTier;
import dev.counterpoint.gateway.request.Verbosity;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.responses.ContextManagement;
import dev.counterpoint.openai.responses.CreateResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The rules of `POST /v1/responses` that need nothing but the request. Unsupported members are refused by name if
/// ignoring them would change the answer.
final class ResponsesRules {
    /// OpenAI's.
    private static final int OUTPUT_TOKENS_MIN = 16;

    private static final String CONTEXT = "context_management";
    private static final String CONVERSATION = "conversation";
    private static final String NOT_BUILT = "It is not served here.";
    private static final String NOT_HERE = "The Responses API has no such member.";
    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("access_programs", NOT_BUILT),
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

    /// One pass over the request, before anything of it is looked up or begun.
    ///
    /// @throws WireException that names the member
    static void check(CreateResponse request) {
        boolean background = Boolean.TRUE.equals(request.background());
        boolean unstored = Boolean.FALSE.equals(request.store());
        boolean inConversation = request.conversation() != null;
        boolean goesOn = request.previousResponseId() != null;
        var contexts = Objects.requireNonNullElse(request.contextManagement(), List.<ContextManagement>of());
        var include = Objects.requireNonNullElse(request.include(), List.<String>of());
        var text = request.text();
        RequestRules.present(
                "model", request.model() != null && !request.model().isBlank());
        RequestRules.refuseMembers(request.otherMembers(), REFUSED);
        RequestRules.require(contexts.size() <= 1, CONTEXT, "at most one entry is taken.");
        for (var context : contexts) {
            RequestRules.oneOf(CONTEXT + "[0].type", context.type(), List.of("compaction"));
            RequestRules.integer(
                    CONTEXT + "[0].compact_threshold", context.compactThreshold(), 1_000, Integer.MAX_VALUE);
        }
        RequestRules.refuse("moderation", request.moderation(), NOT_BUILT);
        RequestRules.require(!inConversation || !goesOn, CONVERSATION, "it excludes 'previous_response_id'.");
        RequestRules.require(
                !inConversation || !unstored, CONVERSATION, "what is said in it is kept, so 'store' cannot be false.");
        RequestRules.present("input", request.input() != null || goesOn || inConversation || request.prompt() != null);
        SamplingOptions.of(request).check();
        RequestRules.integer("max_output_tokens", request.maxOutputTokens(), OUTPUT_TOKENS_MIN, Integer.MAX_VALUE);
        RequestRules.endUser(request.safetyIdentifier(), request.user());
        RequestRules.integer("max_tool_calls", request.maxToolCalls(), 1, Integer.MAX_VALUE);
        RequestRules.metadata(request.metadata());
        RequestRules.oneOf("service_tier", request.serviceTier(), ServiceTier.WORDS);
        RequestRules.oneOf(SummaryTierWish.MEMBER, request.reasoningSummaryTier(), SummaryTierWish.WORDS);
        RequestRules.cacheRetention(request.promptCacheRetention());
        RequestRules.cacheOptions(request.promptCacheOptions());
        ResponsesReasoning.check(request.reasoning());
        for (int i = 0; i < include.size(); i++) {
            RequestRules.oneOf("include[" + i + "]", include.get(i), InputItems.INCLUDES);
        }
        RequestRules.responseSchema(request.responseSchema(), "text.format", text == null ? null : text.format());
        RequestRules.oneOf("text.verbosity", text == null ? null : text.verbosity(), Verbosity.WORDS);
        RequestRules.oneOf(
                "background_options.completion_window",
                request.backgroundOptions() == null
                        ? null
                        : request.backgroundOptions().completionWindow(),
                List.of("soonest"));
        RequestRules.require(!background || !unstored, "background", "a background response has to be stored.");
        RequestRules.oneOf("truncation", request.truncation(), List.of("auto", "disabled"));
    }
}
