package dev.counterpoint.worker.engine.simulated;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;

/// Compact JSON in and out; numbers keep their exact value.
final class Json {
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    /// The value that the whole text is, or null when it is not JSON.
    static @Nullable JsonNode parse(String text) {
        var trimmed = text.strip();
        if (trimmed.isEmpty()) {
            return null;
        }
        try {
            return MAPPER.readTree(trimmed);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /// The first value that the text begins with, whatever follows; null when it does not begin with JSON.
    static @Nullable JsonNode parseFirst(String text) {
        try {
            return MAPPER.readerFor(JsonNode.class)
                    .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readValue(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    static String write(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree always writes", e);
        }
    }

    /// The text as a JSON string, quotes included.
    static String quoted(String text) {
        return write(NODES.textNode(text));
    }
}
