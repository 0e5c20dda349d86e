package dev.counterpoint.openai.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.math.BigDecimal;
import java.util.Collection;

/// The JSON types, with the words that error messages have for them.
enum Shape {
    STRING("a string"),
    INTEGER("an integer"),
    NUMBER("a number"),
    BOOLEAN("a boolean"),
    ARRAY("an array"),
    OBJECT("an object");

    private final String words;

    Shape(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /// The shape that values of `type` have on the wire.
    static Shape of(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return BOOLEAN;
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return INTEGER;
        }
        if (type == double.class || type == Double.class || type == BigDecimal.class) {
            return NUMBER;
        }
        if (type == String.class || type.isEnum()) {
            return STRING;
        }
        return Collection.class.isAssignableFrom(type) ? ARRAY : OBJECT;
    }

    /// The words for what `node` is.
    static String wordsFor(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> STRING.words;
            case BOOLEAN -> BOOLEAN.words;
            case ARRAY -> ARRAY.words;
            case NUMBER -> node.isIntegralNumber() ? INTEGER.words : NUMBER.words;
            case NULL -> "null";
            case OBJECT, POJO, BINARY -> OBJECT.words;
            case MISSING -> "nothing";
        };
    }

    /// Whether `node` could be this shape; integers are numbers too.
    boolean fits(JsonNode node) {
        return switch (this) {
            case STRING -> node.isTextual();
            case BOOLEAN -> node.isBoolean();
            case ARRAY -> node.isArray();
            case OBJECT -> node.getNodeType() == JsonNodeType.OBJECT;
            case INTEGER -> node.isIntegralNumber();
            case NUMBER -> node.isNumber();
        };
    }
}
