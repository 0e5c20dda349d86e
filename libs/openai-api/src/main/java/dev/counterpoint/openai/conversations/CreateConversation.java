package dev.counterpoint.openai.conversations;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.responses.InputItem;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of `POST /v1/conversations`: the first items of the conversation, at most 20.
///
/// @param otherMembers further members of the body, by wire name
public record CreateConversation(
        @Nullable Map<String, String> metadata,
        @Nullable List<InputItem> items,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> otherMembers) {
    public CreateConversation {
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        items = items == null ? null : List.copyOf(items);
        otherMembers = Collections.unmodifiableMap(new LinkedHashMap<>(otherMembers));
    }
}
