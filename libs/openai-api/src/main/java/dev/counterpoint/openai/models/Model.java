package dev.counterpoint.openai.models;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.jspecify.annotations.Nullable;

/// A model that can be asked for.
///
/// @param created seconds since 1970
/// @param shutdownDate the day from which on it is gone, as in `2026-12-31`; null for none
/// @param contextLength our extension: tokens of prompt and answer together
/// @param description our extension: one line for people
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXISTING_PROPERTY, property = "object")
@JsonTypeName("model")
@JsonPropertyOrder({"id", "object"})
public record Model(
        String id,
        long created,
        String ownedBy,
        @Nullable String shutdownDate,
        @Nullable Integer contextLength,
        @Nullable String description) {
    @JsonProperty
    public String object() {
        return "model";
    }
}
