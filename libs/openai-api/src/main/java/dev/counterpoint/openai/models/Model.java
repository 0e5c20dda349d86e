package dev.counterpoint.openai.models;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/// A model that can be asked for.
///
/// @param created seconds since 1970
/// @param contextLength our extension: tokens of prompt and answer together
/// @param description our extension: one line for people
@JsonPropertyOrder({"id", "object"})
public record Model(
        String id,
        long created,
        String ownedBy,
        @Nullable Integer contextLength,
        @Nullable String description) {
    @JsonProperty
    public String object() {
        return "model";
    }
}
