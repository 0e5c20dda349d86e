package dev.counterpoint.engine.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.LocalDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Input of one rendering.
///
/// @param messages in the form of Chat Completions
/// @param tools in the form of Chat Completions; null if there are none
/// @param arguments further variables of the template, `enable_thinking` for one
/// @param generationPrompt whether the text ends with the beginning of an assistant's message
/// @param now local time, for templates that write the date
public record TemplateInput(
        ArrayNode messages,
        @Nullable ArrayNode tools,
        Map<String, JsonNode> arguments,
        boolean generationPrompt,
        LocalDateTime now) {
    /// Messages are content.
    @Override
    public String toString() {
        return "TemplateInput[messages=" + messages.size() + "]";
    }
}
