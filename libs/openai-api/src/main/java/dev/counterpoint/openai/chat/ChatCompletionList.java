package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/// A page of stored completions; `firstId` and `lastId` are empty when it has none.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("list")
public record ChatCompletionList(List<ChatCompletion> data, String firstId, String lastId, boolean hasMore) {
    public ChatCompletionList {
        data = List.copyOf(data);
    }
}
