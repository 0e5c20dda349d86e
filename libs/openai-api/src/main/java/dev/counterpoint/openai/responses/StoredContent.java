package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;

/// A part of a stored message: an input part, an output part, or text marked as neither.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface StoredContent {
    record Output(@JsonValue OutputContent part) implements StoredContent {}

    record Input(@JsonValue InputContent part) implements StoredContent {}

    @JsonTypeName("text")
    record Text(String text) implements StoredContent {}

    /// A part of a reviewed summary of the reasoning.
    @JsonTypeName("summary_text")
    record Summary(String text) implements StoredContent {}
}
