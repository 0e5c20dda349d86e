package dev.counterpoint.engine.template;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/// The form in which templates see messages. `transformers` 5.24 drops fields that are null, and gives reasoning under
/// each name that templates read.
enum MessageForm {
    /// Arguments of calls are objects, as most templates expect.
    OBJECTS,
    /// Arguments of calls are JSON text, as OpenAI has them.
    TEXT;

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final List<String> REASONING = List.of("reasoning_content", "thinking", "reasoning");

    MessageForm other() {
        return this == OBJECTS ? TEXT : OBJECTS;
    }

    ArrayNode of(ArrayNode messages) {
        var all = JSON.createArrayNode();
        messages.forEach(message -> all.add(message instanceof ObjectNode fields ? message(fields) : message));
        return all;
    }

    private ObjectNode message(ObjectNode message) {
        var form = JSON.createObjectNode();
        var reasoning =
                REASONING.stream().filter(message::hasNonNull).findFirst().map(message::get);
        reasoning.ifPresent(text -> form.set("thinking", text));
        message.properties().stream()
                .filter(field -> !field.getValue().isNull())
                .forEach(field -> form.set(field.getKey(), field.getValue()));
        reasoning.ifPresent(text -> form.set("reasoning_content", text));
        if (form.get("tool_calls") instanceof ArrayNode calls) {
            form.set("tool_calls", calls(calls));
        }
        return form;
    }

    private ArrayNode calls(ArrayNode calls) {
        var all = calls.deepCopy();
        for (JsonNode call : all) {
            if (call.get("function") instanceof ObjectNode function && function.has("arguments")) {
                function.set("arguments", arguments(function.get("arguments")));
            }
        }
        return all;
    }

    private JsonNode arguments(JsonNode arguments) {
        if (this == TEXT) {
            return arguments.isObject() ? TextNode.valueOf(arguments.toString()) : arguments;
        }
        try {
            var parsed = arguments.isTextual() ? JSON.readTree(arguments.textValue()) : arguments;
            return parsed.isObject() ? parsed : arguments;
        } catch (JsonProcessingException e) {
            // The model's mistake: templates get the text that it wrote.
            return arguments;
        }
    }
}
