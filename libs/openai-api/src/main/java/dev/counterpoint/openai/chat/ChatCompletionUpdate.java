package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The body of `POST /v1/chat/completions/{id}`; null takes all metadata away.
public record ChatCompletionUpdate(
        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Map<String, String> metadata) {
    public ChatCompletionUpdate {
        metadata = metadata == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
