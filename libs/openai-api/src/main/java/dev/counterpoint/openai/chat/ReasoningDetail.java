package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// A piece of reasoning by OpenRouter's convention, out and back in unchanged.
///
/// `format` names whose form it is, as in `openai-responses-v1`; `index` orders the pieces from 0.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ReasoningDetail {
    /// The reviewed summary.
    @JsonTypeName("reasoning.summary")
    record Summary(
            String summary,
            @Nullable String id,
            @Nullable String format,
            @Nullable Integer index) implements ReasoningDetail {}

    /// Raw reasoning: only for callers that are entitled to it.
    @JsonTypeName("reasoning.text")
    record Text(
            @Nullable String text,
            @Nullable String signature,
            @Nullable String id,
            @Nullable String format,
            @Nullable Integer index)
            implements ReasoningDetail {
        /// Raw reasoning stays out of logs.
        @Override
        public String toString() {
            return "Text[id=" + id + "]";
        }
    }

    /// Sealed reasoning that only the server can read.
    @JsonTypeName("reasoning.encrypted")
    record Encrypted(
            String data,
            @Nullable String id,
            @Nullable String format,
            @Nullable Integer index) implements ReasoningDetail {
        /// Sealed reasoning stays out of logs too.
        @Override
        public String toString() {
            return "Encrypted[id=" + id + "]";
        }
    }

    /// A piece that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ReasoningDetail {
        public String type() {
            return raw.path("type").asText();
        }

        /// It may hold reasoning.
        @Override
        public String toString() {
            return "Unknown[type=" + type() + "]";
        }
    }
}
