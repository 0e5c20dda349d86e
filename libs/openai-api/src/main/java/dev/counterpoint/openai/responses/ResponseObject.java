package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.counterpoint.openai.moderation.Moderation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A response, or a snapshot of one that is under way.
///
/// @param createdAt seconds since 1970
/// @param completedAt seconds since 1970; null unless the status is completed
/// @param usage null until the response has ended
/// @param toolUsage of tools that ran at the server; null until the response has ended
/// @param promptCacheDiagnostics where the request asked for them; null until the response has ended
/// @param outputText all text of the output: some clients put it here, no server does
/// @param moderation what moderation found, where the request wanted it
/// @param echo the request's members, written beside the others
/// @param reasoningUnavailable our extension: a summary or reasoning was asked for and cannot be shown
/// @param warnings our extension: why, for people
/// @param reasoningSummaryTier our extension: how the summary came about: `described` or `written`; null for none
/// @param extra our extension: what a model that is not Harmony told beside its answer; null for nothing
/// @param inputTransformations the items of the input that the model was not shown; null for none
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXISTING_PROPERTY, property = "object")
@JsonTypeName("response")
@JsonPropertyOrder({"id", "object", "created_at", "completed_at", "status", "error", "incomplete_details", "output"})
public record ResponseObject(
        String id,
        long createdAt,
        @JsonInclude(ALWAYS) @Nullable Long completedAt,
        @Nullable ResponseStatus status,
        @JsonInclude(ALWAYS) @Nullable ResponseError error,
        @JsonInclude(ALWAYS) @Nullable IncompleteDetails incompleteDetails,
        List<OutputItem> output,
        @JsonInclude(ALWAYS) @Nullable Usage usage,
        @Nullable ToolUsage toolUsage,
        @Nullable PromptCacheDiagnostics promptCacheDiagnostics,
        @Nullable String outputText,
        @Nullable Moderation moderation,
        @JsonUnwrapped ResponseEcho echo,
        @Nullable Boolean reasoningUnavailable,
        @Nullable List<String> warnings,
        @Nullable String reasoningSummaryTier,
        @Nullable Map<String, Object> extra,
        @Nullable List<InputTransformation> inputTransformations) {
    public ResponseObject {
        output = List.copyOf(output);
        warnings = warnings == null ? null : List.copyOf(warnings);
        extra = extra == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(extra));
        inputTransformations = inputTransformations == null ? null : List.copyOf(inputTransformations);
    }

    @JsonProperty
    public String object() {
        return "response";
    }

    /// A response of which nothing has been generated.
    public static ResponseObject fresh(String id, long createdAt, ResponseStatus status, ResponseEcho echo) {
        return new ResponseObject(
                id, createdAt, null, status, null, null, List.of(), null, null, null, null, null, echo, null, null,
                null, null, null);
    }

    /// The same with another output.
    public ResponseObject withOutput(List<OutputItem> other) {
        return new ResponseObject(
                id,
                createdAt,
                completedAt,
                status,
                error,
                incompleteDetails,
                other,
                usage,
                toolUsage,
                promptCacheDiagnostics,
                outputText,
                moderation,
                echo,
                reasoningUnavailable,
                warnings,
                reasoningSummaryTier,
                extra,
                inputTransformations);
    }

    /// The same, failed before it began.
    public ResponseObject failed(ResponseError why) {
        return new ResponseObject(
                id,
                createdAt,
                completedAt,
                ResponseStatus.FAILED,
                why,
                incompleteDetails,
                output,
                usage,
                toolUsage,
                promptCacheDiagnostics,
                outputText,
                moderation,
                echo,
                reasoningUnavailable,
                warnings,
                reasoningSummaryTier,
                extra,
                inputTransformations);
    }
}
