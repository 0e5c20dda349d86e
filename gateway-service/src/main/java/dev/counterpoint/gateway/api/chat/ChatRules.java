package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.gateway.reasoning.SummaryTierWish;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.request.SamplingOptions;
import dev.counterpoint.gateway.request.ServiceTier;
import dev.counterpoint.gateway.request.Verbosity;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The rules of `POST /v1/chat/completions` that need nothing but the request. Unsupported members are refused by name
/// if ignoring them would change the answer.
final class ChatRules {
    private static final String NOT_BUILT = "It is not served here.";
    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("input", "In Chat Completions it is 'messages'."),
            Map.entry("max_output_tokens", "In Chat Completions it is 'max_completion_tokens'."));

    private ChatRules() {}

    /// @throws WireException that names the member
    static void check(ChatRequest request) {
        RequestRules.present("model", !request.model().isBlank());
        RequestRules.require(!request.messages().isEmpty(), "messages", "the list is empty.");
        RequestRules.refuseMembers(request.otherMembers(), REFUSED);
        RequestRules.refuse("audio", request.audio(), NOT_BUILT);
        RequestRules.refuse("web_search_options", request.webSearchOptions(), NOT_BUILT);
        RequestRules.refuse("moderation", request.moderation(), NOT_BUILT);
        RequestRules.refuse("functions", request.functions(), "Use 'tools'.");
        RequestRules.refuse("function_call", request.functionCall(), "Use 'tool_choice'.");
        RequestRules.responseSchema(request.responseSchema(), "response_format", request.responseFormat());
        SamplingOptions.of(request).check();
        RequestRules.integer("max_tokens", request.maxTokens(), 1, Integer.MAX_VALUE);
        RequestRules.integer("max_completion_tokens", request.maxCompletionTokens(), 1, Integer.MAX_VALUE);
        RequestRules.require(
                request.topLogprobs() == null || Boolean.TRUE.equals(request.logprobs()),
                "top_logprobs",
                "it needs 'logprobs' to be true.");
        RequestRules.metadata(request.metadata());
        RequestRules.endUser(request.safetyIdentifier(), request.user());
        RequestRules.oneOf("service_tier", request.serviceTier(), ServiceTier.WORDS);
        RequestRules.oneOf(SummaryTierWish.MEMBER, request.reasoningSummaryTier(), SummaryTierWish.WORDS);
        RequestRules.cacheRetention(request.promptCacheRetention());
        RequestRules.cacheOptions(request.promptCacheOptions());
        delivery(request);
    }

    /// Checks the number of answers.
    ///
    /// @param max as the deployment has it
    /// @param repeatable whether it may come again under a key, which stands for one response
    /// @throws WireException when those are too many
    static void checkChoices(ChatRequest request, int max, boolean repeatable) {
        RequestRules.integer("n", request.n(), 1, max);
        int choices = choices(request);
        if (choices > 1 && Boolean.TRUE.equals(request.store())) {
            throw RequestRules.unsupportedValue("n", String.valueOf(choices), "A stored completion has one answer.");
        }
        if (choices > 1 && repeatable) {
            throw RequestRules.unsupportedValue(
                    "n", String.valueOf(choices), "A request with an Idempotency-Key has one answer.");
        }
    }

    /// The number of answers that the request wants.
    static int choices(ChatRequest request) {
        return Objects.requireNonNullElse(request.n(), 1);
    }

    private static void delivery(ChatRequest request) {
        if (request.modalities() != null && !request.modalities().equals(List.of("text"))) {
            throw RequestRules.unsupported("modalities", "The model writes text only.");
        }
        RequestRules.oneOf("verbosity", request.verbosity(), Verbosity.WORDS);
        RequestRules.require(
                request.streamOptions() == null || request.streaming(),
                "stream_options",
                "it needs 'stream' to be true.");
    }
}
