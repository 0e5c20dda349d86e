package dev.counterpoint.openai.responses;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A prompt that the server keeps, and what to fill in.
public record PromptTemplate(
        String id, @Nullable String version, @Nullable Map<String, PromptVariable> variables) {
    public PromptTemplate {
        variables = variables == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(variables));
    }
}
