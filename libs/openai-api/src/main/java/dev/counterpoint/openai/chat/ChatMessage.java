package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message of the conversation so far.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
public sealed interface ChatMessage {
    @JsonTypeName("system")
    record System(ChatContent content, @Nullable String name) implements ChatMessage {}

    @JsonTypeName("developer")
    record Developer(ChatContent content, @Nullable String name) implements ChatMessage {}

    @JsonTypeName("user")
    record User(ChatContent content, @Nullable String name) implements ChatMessage {}

    /// What the model said. Clients bring its reasoning back under one or more of three names.
    @JsonTypeName("assistant")
    record Assistant(
            @Nullable ChatContent content,
            @Nullable String refusal,
            @Nullable String name,
            @Nullable List<ToolCall> toolCalls,
            @Nullable ChatFunctionCall functionCall,
            ChatAudio.@Nullable Reference audio,
            @Nullable String reasoning,
            @Nullable String reasoningContent,
            @Nullable List<ReasoningDetail> reasoningDetails)
            implements ChatMessage {
        public Assistant {
            toolCalls = toolCalls == null ? null : List.copyOf(toolCalls);
            reasoningDetails = reasoningDetails == null ? null : List.copyOf(reasoningDetails);
        }

        /// Nothing of the reasoning gets into logs.
        @Override
        public String toString() {
            return "Assistant[]";
        }
    }

    /// What the client's function answered to the call `toolCallId`.
    @JsonTypeName("tool")
    record Tool(ChatContent content, String toolCallId) implements ChatMessage {}

    /// The same from before tools: the answer to the last call of the function `name`.
    @JsonTypeName("function")
    record Function(
            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            String content,

            String name) implements ChatMessage {}
}
