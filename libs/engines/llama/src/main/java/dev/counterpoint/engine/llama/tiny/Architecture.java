package dev.counterpoint.engine.llama.tiny;

import com.fasterxml.jackson.databind.JsonNode;

/// The numbers of the model's architecture, under the names that the training program has for them.
///
/// @param head numbers of one attention head
/// @param hidden numbers within an expert
record Architecture(
        int width,
        int layers,
        int heads,
        int keyValueHeads,
        int head,
        int experts,
        int expertsUsed,
        int hidden,
        float ropeBase,
        float epsilon) {

    /// @param metadata of a parameter file
    /// @throws IllegalArgumentException when a number is missing or is none
    static Architecture of(JsonNode metadata) {
        return new Architecture(
                whole(metadata, "width"),
                whole(metadata, "layers"),
                whole(metadata, "heads"),
                whole(metadata, "key_value_heads"),
                whole(metadata, "head"),
                whole(metadata, "experts"),
                whole(metadata, "experts_used"),
                whole(metadata, "hidden"),
                real(metadata, "rope_base"),
                real(metadata, "epsilon"));
    }

    private static int whole(JsonNode metadata, String name) {
        var text = metadata.path(name).asText();
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    "__metadata__." + name + " is '" + text + "', not a whole number from 1");
        }
        return Integer.parseInt(text);
    }

    private static float real(JsonNode metadata, String name) {
        var text = metadata.path(name).asText();
        try {
            return Float.parseFloat(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("__metadata__." + name + " is '" + text + "', not a number", e);
        }
    }
}
