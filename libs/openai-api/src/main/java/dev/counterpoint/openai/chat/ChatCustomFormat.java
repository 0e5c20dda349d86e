package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The form of what goes into a custom tool.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ChatCustomFormat {
    /// Any text.
    @JsonTypeName("text")
    record Text() implements ChatCustomFormat {}

    /// Text of a language.
    @JsonTypeName("grammar")
    record Grammar(GrammarRules grammar) implements ChatCustomFormat {}

    /// A form that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ChatCustomFormat {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// `syntax` is `lark` or `regex`.
    record GrammarRules(String definition, String syntax) {}
}
