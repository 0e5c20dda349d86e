package dev.counterpoint.harmony.model;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// One callable tool. `parameters` is a JSON schema, rendered as TypeScript; null means that it takes none.
public record ToolDescription(
        String name, String description, @Nullable JsonNode parameters) {}
