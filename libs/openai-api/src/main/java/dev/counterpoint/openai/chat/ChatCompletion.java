package dev.counterpoint.openai.chat;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The whole answer of Chat Completions; `created` is in seconds since 1970.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXISTING_PROPERTY, property = "object")
@JsonTypeName("chat.completion")
@JsonPropertyOrder({"id", "object"})
public record ChatCompletion(
        String id,
        long created,
        String model,
        List<Choice> choices,
        @Nullable ChatUsage usage,
        @Nullable String serviceTier,
        @Nullable String systemFingerprint,
        @Nullable ChatModeration moderation,
        @Nullable Map<String, String> metadata) {
    public ChatCompletion {
        choices = List.copyOf(choices);
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    @JsonProperty
    public String object() {
        return "chat.completion";
    }

    /// One of the `n` answers; `index` counts from 0.
    public record Choice(
            int index,
            Message message,
            FinishReason finishReason,
            @JsonInclude(ALWAYS) @Nullable ChatLogprobs logprobs) {}

    /// What the model said.
    ///
    /// @param reasoning raw for entitled callers, else the summary where the request's form puts it here
    /// @param reasoningSummary the reviewed summary
    /// @param reasoningDetails the same as `reasoning`, and the sealed form for the next turn
    /// @param reasoningUnavailable reasoning was asked for and cannot be shown
    /// @param warnings why, for people
    /// @param reasoningSummaryTier how the summary came about: `described` or `written`; null for none
    /// @param extra what a model that is not Harmony told beside its answer; null for nothing
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
    @JsonTypeName("assistant")
    @JsonPropertyOrder({"content", "refusal"})
    public record Message(
            @JsonInclude(ALWAYS) @Nullable String content,
            @JsonInclude(ALWAYS) @Nullable String refusal,
            @Nullable List<ToolCall> toolCalls,
            @Nullable ChatFunctionCall functionCall,
            @Nullable List<ChatAnnotation> annotations,
            @Nullable ChatAudio audio,
            @Nullable String reasoning,
            @Nullable String reasoningSummary,
            @Nullable List<ReasoningDetail> reasoningDetails,
            @Nullable Boolean reasoningUnavailable,
            @Nullable List<String> warnings,
            @Nullable String reasoningSummaryTier,
            @Nullable Map<String, Object> extra) {
        public Message {
            toolCalls = toolCalls == null ? null : List.copyOf(toolCalls);
            annotations = annotations == null ? null : List.copyOf(annotations);
            reasoningDetails = reasoningDetails == null ? null : List.copyOf(reasoningDetails);
            warnings = warnings == null ? null : List.copyOf(warnings);
            extra = extra == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(extra));
        }

        /// Nothing of the reasoning gets into logs.
        @Override
        public String toString() {
            return "Message[]";
        }
    }
}
