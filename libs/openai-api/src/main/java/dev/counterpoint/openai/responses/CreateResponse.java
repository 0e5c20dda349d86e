package dev.counterpoint.openai.responses;

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

/// The body of `POST /v1/responses`. Null means that the caller left the member out or wrote null.
///
/// Ranges and open enums are not checked here; [ResponseEcho] holds the defaults.
///
/// @param reasoningEncrypt our extension: whether the caller lets the raw reasoning be kept for audit
/// @param reasoningSummaryTier our extension: the most that the summary may be, `described` or `written`
/// @param responseSchema our extension: another name for a `text.format` of type `json_schema`
/// @param topK our extension, as the three after it: options of models under a chat template of their own, by
///     the names that their servers have for them
/// @param otherMembers what the body held besides, by its wire name
public record CreateResponse(
        @Nullable String model,
        @Nullable Input input,
        @Nullable String instructions,
        @Nullable String previousResponseId,
        @Nullable ConversationParam conversation,
        @Nullable Boolean store,
        @Nullable Boolean stream,
        @Nullable StreamOptions streamOptions,
        @Nullable Boolean background,
        @Nullable BackgroundOptions backgroundOptions,
        @Nullable ReasoningWish reasoning,
        @Nullable TextOptions text,
        @Nullable PromptTemplate prompt,
        @Nullable List<ContextManagement> contextManagement,
        @Nullable ModerationRequest moderation,
        @Nullable List<Tool> tools,
        @Nullable ToolChoice toolChoice,
        @Nullable Boolean parallelToolCalls,
        @Nullable Integer maxOutputTokens,
        @Nullable Integer maxToolCalls,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer topLogprobs,
        @Nullable String truncation,
        @Nullable Map<String, String> metadata,
        @Nullable List<String> include,
        @Nullable String serviceTier,
        @Nullable String safetyIdentifier,
        @Nullable String promptCacheKey,
        @Nullable String promptCacheRetention,
        @Nullable PromptCacheWish promptCacheOptions,
        @Nullable String user,
        @Nullable Boolean reasoningEncrypt,
        @Nullable String reasoningSummaryTier,
        @Nullable ResponseSchema responseSchema,
        @Nullable Integer topK,
        @Nullable Double minP,
        @Nullable Double repetitionPenalty,
        @Nullable Map<String, JsonNode> chatTemplateKwargs,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> otherMembers) {
    public CreateResponse {
        tools = tools == null ? null : List.copyOf(tools);
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        contextManagement = contextManagement == null ? null : List.copyOf(contextManagement);
        include = include == null ? null : List.copyOf(include);
        chatTemplateKwargs = chatTemplateKwargs == null
                ? null
                : Collections.unmodifiableMap(new LinkedHashMap<>(chatTemplateKwargs));
        otherMembers = Collections.unmodifiableMap(new LinkedHashMap<>(otherMembers));
    }

    /// The form the answer's text must have, under whichever name; null when the caller leaves it open.
    public @Nullable TextFormat format() {
        if (responseSchema != null) {
            return new TextFormat.JsonSchema(ResponseSchema.NAME, null, responseSchema.schema(), null);
        }
        return text == null ? null : text.format();
    }

    /// Whether the caller asked for events rather than one body.
    public boolean streaming() {
        return Boolean.TRUE.equals(stream);
    }
}
