package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.databind.JsonNode;

/// The types of JSON values. An integer is a number.
enum JsonType {
    NULL,
    BOOLEAN,
    NUMBER,
    STRING,
    ARRAY,
    OBJECT;

    static JsonType of(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL, MISSING -> NULL;
            case BOOLEAN -> BOOLEAN;
            case NUMBER -> NUMBER;
            case ARRAY -> ARRAY;
            case OBJECT, POJO -> OBJECT;
            case STRING, BINARY -> STRING;
        };
    }
}
