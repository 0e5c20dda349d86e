package dev.counterpoint.openai.responses;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response, or a snapshot of one that is under way.
///
/// @param createdAt seconds since 1970
/// @param completedAt seconds since 1970; null unless the status is completed
/// @param usage null until the response has ended
/// @param echo the request's members, written beside the others
/// @param reasoningUnavailable our extension: a summary or reasoning was asked for and cannot be shown
/// @param warnings our extension: why, for people
@JsonPropertyOrder({"id", "object", "created_at", "completed_at", "status", "error", "incomplete_details", "output"})
public record ResponseObject(
        String id,
        long createdAt,
        @JsonInclude(ALWAYS) @Nullable Long completedAt,
        ResponseStatus status,
        @JsonInclude(ALWAYS) @Nullable ResponseError error,
        @JsonInclude(ALWAYS) @Nullable IncompleteDetails incompleteDetails,
        List<OutputItem> output,
        @JsonInclude(ALWAYS) @Nullable Usage usage,
        @JsonUnwrapped ResponseEcho echo,
        @Nullable Boolean reasoningUnavailable,
        @Nullable List<String> warnings) {
    public ResponseObject {
        output = List.copyOf(output);
        warnings = warnings == null ? null : List.copyOf(warnings);
    }

    /// A response of which nothing has been generated.
    public static ResponseObject fresh(String id, long createdAt, ResponseStatus status, ResponseEcho echo) {
        return new ResponseObject(id, createdAt, null, status, null, null, List.of(), null, echo, null, null);
    }

    @JsonProperty
    public String object() {
        return "response";
    }
}
