package dev.counterpoint.openai.chat;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A piece of a streamed answer; `id`, `created` (seconds since 1970) and `model` are the same in all of
/// them.
///
/// @param usage null, and so absent, unless the request has `stream_options.include_usage`
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXISTING_PROPERTY, property = "object")
@JsonTypeName("chat.completion.chunk")
@JsonPropertyOrder({"id", "object"})
public record ChatChunk(
        String id,
        long created,
        String model,
        List<Choice> choices,
        @Nullable Usage usage,
        @Nullable String serviceTier,
        @Nullable String systemFingerprint,
        @Nullable ChatModeration moderation,
        @Nullable String obfuscation) {
    public ChatChunk {
        choices = List.copyOf(choices);
    }

    @JsonProperty
    public String object() {
        return "chat.completion.chunk";
    }

    /// The usage of the whole stream, which the last chunk has. It is null in the chunks before.
    public record Usage(@JsonValue @Nullable ChatUsage tokens) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public Usage {}
    }

    /// What is new in one of the `n` answers; `finishReason` is null until its last chunk.
    public record Choice(
            int index,
            Delta delta,
            @Nullable ChatLogprobs logprobs,
            @JsonInclude(ALWAYS) @Nullable FinishReason finishReason) {}

    /// The new pieces, to be appended to those before; null means nothing new.
    ///
    /// @param role `assistant` in the first chunk of an answer
    /// @param functionCall a call from before tools
    /// @param reasoning raw for entitled callers, else the summary where the request's form puts it here
    /// @param reasoningSummary the reviewed summary
    /// @param reasoningDetails the same as `reasoning`, and in the last chunk the sealed form for the
    ///     next turn
    /// @param reasoningUnavailable reasoning was asked for and cannot be shown
    /// @param warnings why, for people
    /// @param reasoningSummaryTier how the summary came about: `described` or `written`; in the last chunk
    /// @param extra what a model that is not Harmony told beside its answer; in the last chunk
    public record Delta(
            @Nullable String role,
            @Nullable String content,
            @Nullable String refusal,
            @Nullable List<ToolCallDelta> toolCalls,
            @Nullable FunctionDelta functionCall,
            @Nullable String reasoning,
            @Nullable String reasoningSummary,
            @Nullable List<ReasoningDetail> reasoningDetails,
            @Nullable Boolean reasoningUnavailable,
            @Nullable List<String> warnings,
            @Nullable String reasoningSummaryTier,
            @Nullable Map<String, Object> extra) {
        public Delta {
            toolCalls = toolCalls == null ? null : List.copyOf(toolCalls);
            reasoningDetails = reasoningDetails == null ? null : List.copyOf(reasoningDetails);
            warnings = warnings == null ? null : List.copyOf(warnings);
            extra = extra == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(extra));
        }

        public static Delta ofRole(String role) {
            return new Delta(role, null, null, null, null, null, null, null, null, null, null, null);
        }

        public static Delta ofContent(String content) {
            return new Delta(null, content, null, null, null, null, null, null, null, null, null, null);
        }

        public static Delta ofToolCall(ToolCallDelta call) {
            return new Delta(null, null, null, List.of(call), null, null, null, null, null, null, null, null);
        }

        /// Nothing of the reasoning gets into logs.
        @Override
        public String toString() {
            return "Delta[]";
        }
    }

    /// What is new in the tool call at `index`; `id`, `type` and the name come with its first piece. The
    /// contract does not have `custom` yet; OpenAI sends it all the same.
    public record ToolCallDelta(
            int index,
            @Nullable String id,
            @Nullable String type,
            @Nullable FunctionDelta function,
            @Nullable CustomDelta custom) {
        public static ToolCallDelta opens(int index, String id, FunctionDelta function) {
            return new ToolCallDelta(index, id, "function", function, null);
        }

        public static ToolCallDelta opens(int index, String id, CustomDelta custom) {
            return new ToolCallDelta(index, id, "custom", null, custom);
        }

        public static ToolCallDelta more(int index, FunctionDelta function) {
            return new ToolCallDelta(index, null, null, function, null);
        }

        public static ToolCallDelta more(int index, CustomDelta custom) {
            return new ToolCallDelta(index, null, null, null, custom);
        }
    }

    /// What is new in a function call; `arguments` are appended.
    public record FunctionDelta(
            @Nullable String name, @Nullable String arguments) {}

    /// What is new in a call of a custom tool; `input` is appended.
    public record CustomDelta(
            @Nullable String name, @Nullable String input) {}
}
