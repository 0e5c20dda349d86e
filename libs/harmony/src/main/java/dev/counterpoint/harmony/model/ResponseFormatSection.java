package dev.counterpoint.harmony.model;

import org.jspecify.annotations.Nullable;

/// A form that the model is asked to answer in. It only asks: what must hold is up to the sampler's mask.
///
/// @param description for the model; may have several lines
/// @param schema JSON text of the schema, rendered as it is
public record ResponseFormatSection(String name, @Nullable String description, String schema) {
    /// Without the schema, which is part of a prompt.
    @Override
    public String toString() {
        return "ResponseFormat[" + name.length() + " and " + schema.length() + " chars]";
    }
}
