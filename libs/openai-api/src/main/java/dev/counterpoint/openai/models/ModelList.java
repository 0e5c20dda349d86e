package dev.counterpoint.openai.models;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/// The answer of `GET /v1/models`.
@JsonPropertyOrder({"object", "data"})
public record ModelList(List<Model> data) {
    public ModelList {
        data = List.copyOf(data);
    }

    @JsonProperty
    public String object() {
        return "list";
    }
}
