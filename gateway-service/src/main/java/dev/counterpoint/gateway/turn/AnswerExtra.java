package dev.counterpoint.gateway.turn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.frame.Delta;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects what a model that is not Harmony told beside its answer ([Delta.Header#EXTRA]). Not
/// thread-safe.
public final class AnswerExtra {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};

    private final StringBuilder text = new StringBuilder();

    /// Takes more of it.
    public void append(Delta delta) {
        text.append(delta.text());
    }

    /// Its members; null where there are none, and where it is cut off.
    public @Nullable Map<String, Object> members() {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return JSON.readValue(text.toString(), MEMBERS);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
