package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.PromptCacheWish;
import dev.counterpoint.openai.ResponseSchema;
import dev.counterpoint.openai.moderation.ModerationRequest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of `POST /v1/chat/completions`. Null means that the caller left the member out or wrote null.
///
/// Ranges and open enums are not checked here.
///
/// @param reasoningEncrypt our extension: whether the caller lets the raw reasoning be kept for audit
/// @param responseSchema our extension: another name for a `response_format` of type `json_schema`
/// @param topK our extension, as the three after it: options of models under a chat template of their own, by
///     the names that their servers have for them
/// @param otherMembers what the body held besides, by its wire name
public record ChatRequest(
        String model,
        List<ChatMessage> messages,
        @Nullable List<ChatTool> tools,
        @Nullable ChatToolChoice toolChoice,
        @Nullable Boolean parallelToolCalls,
        @Nullable List<FunctionDefinition> functions,
        @Nullable LegacyFunctionChoice functionCall,
        @Nullable Integer maxTokens,
        @Nullable Integer maxCompletionTokens,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Double presencePenalty,
        @Nullable Double frequencyPenalty,
        @Nullable Map<String, Double> logitBias,
        @Nullable Stop stop,
        @Nullable Long seed,
        @Nullable Integer n,
        @Nullable Boolean logprobs,
        @Nullable Integer topLogprobs,
        @Nullable ResponseFormat responseFormat,
        @Nullable Boolean stream,
        @Nullable ChatStreamOptions streamOptions,
        @Nullable ReasoningRequest reasoning,
        @Nullable String reasoningEffort,
        @Nullable IncludeReasoning includeReasoning,
        @Nullable Boolean reasoningEncrypt,
        @Nullable String reasoningSummaryTier,
        @Nullable ResponseSchema responseSchema,
        @Nullable String verbosity,
        @Nullable List<String> modalities,
        @Nullable AudioOptions audio,
        @Nullable Prediction prediction,
        @Nullable WebSearchOptions webSearchOptions,
        @Nullable ModerationRequest moderation,
        @Nullable Boolean store,
        @Nullable Map<String, String> metadata,
        @Nullable String serviceTier,
        @Nullable String safetyIdentifier,
        @Nullable String promptCacheKey,
        @Nullable String promptCacheRetention,
        @Nullable PromptCacheWish promptCacheOptions,
        @Nullable String user,
        @Nullable Integer topK,
        @Nullable Double minP,
        @Nullable Double repetitionPenalty,
        @Nullable Map<String, JsonNode> chatTemplateKwargs,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> otherMembers) {
    public ChatRequest {
        messages = List.copyOf(messages);
        tools = tools == null ? null : List.copyOf(tools);
        functions = functions == null ? null : List.copyOf(functions);
        logitBias = logitBias == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(logitBias));
        modalities = modalities == null ? null : List.copyOf(modalities);
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        chatTemplateKwargs = chatTemplateKwargs == null
                ? null
                : Collections.unmodifiableMap(new LinkedHashMap<>(chatTemplateKwargs));
        otherMembers = Collections.unmodifiableMap(new LinkedHashMap<>(otherMembers));
    }

    /// The form the answer's text must have, under whichever name; null when the caller leaves it open.
    public @Nullable ResponseFormat format() {
        if (responseSchema == null) {
            return responseFormat;
        }
        return new ResponseFormat.JsonSchema(
                new ResponseFormat.Schema(ResponseSchema.NAME, null, responseSchema.schema(), null));
    }

    /// Whether the caller asked for chunks rather than one body.
    public boolean streaming() {
        return Boolean.TRUE.equals(stream);
    }

    /// Whether a stream ends with a chunk that carries the usage.
    public boolean usageInStream() {
        return streamOptions != null && Boolean.TRUE.equals(streamOptions.includeUsage());
    }
}
