package dev.counterpoint.openai.conversations;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of `POST /v1/conversations/{id}`; null takes all metadata away.
public record UpdateConversation(
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Map<String, String> metadata) {
    public UpdateConversation {
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
