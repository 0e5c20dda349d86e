package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// A function that the client runs; `parameters` is the JSON Schema of its arguments, null when it takes none.
public record FunctionDefinition(
        String name,
        @Nullable String description,
        @Nullable ObjectNode parameters,
        @Nullable Boolean strict) {}
