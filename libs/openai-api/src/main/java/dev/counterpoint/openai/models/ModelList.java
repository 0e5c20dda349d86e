package dev.counterpoint.openai.models;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/// The answer of `GET /v1/models`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("list")
public record ModelList(List<Model> data) {
    public ModelList {
        data = List.copyOf(data);
    }
}
