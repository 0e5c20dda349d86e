package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/// A page of the messages of a stored completion; `firstId` and `lastId` are empty when it has none.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("list")
public record ChatMessageList(List<StoredMessage> data, String firstId, String lastId, boolean hasMore) {
    public ChatMessageList {
        data = List.copyOf(data);
    }
}
