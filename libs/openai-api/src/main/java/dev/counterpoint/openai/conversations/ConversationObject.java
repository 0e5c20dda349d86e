package dev.counterpoint.openai.conversations;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A conversation; its items are had apart.
///
/// @param createdAt seconds since 1970
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("conversation")
public record ConversationObject(
        String id,
        long createdAt,
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Map<String, String> metadata) {
    public ConversationObject {
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
