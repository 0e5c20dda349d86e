package dev.counterpoint.openai.chat;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.ALWAYS;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message of a stored completion, whoever said it.
///
/// @param role as in the request; the contract of this answer knows `assistant` only
/// @param contentParts the content where it was parts; then `content` is null
public record StoredMessage(
        String id,
        String role,
        @JsonInclude(ALWAYS) @Nullable String content,
        @JsonInclude(ALWAYS) @Nullable String refusal,
        @Nullable List<ChatPart> contentParts,
        @Nullable List<ToolCall> toolCalls,
        @Nullable ChatFunctionCall functionCall,
        @Nullable List<ChatAnnotation> annotations,
        @Nullable ChatAudio audio) {
    public StoredMessage {
        contentParts = contentParts == null ? null : List.copyOf(contentParts);
        toolCalls = toolCalls == null ? null : List.copyOf(toolCalls);
        annotations = annotations == null ? null : List.copyOf(annotations);
    }
}
