package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/// A page of items, of a conversation or of a response's input; `firstId` and `lastId` are empty when it has none.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("list")
public record ItemList(List<StoredItem> data, String firstId, String lastId, boolean hasMore) {
    public ItemList {
        data = List.copyOf(data);
    }
}
