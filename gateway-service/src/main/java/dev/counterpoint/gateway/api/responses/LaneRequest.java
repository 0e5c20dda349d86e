package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message that asks for a response.
///
/// @param lane its `stream_id`; empty for none
/// @param text as it came: while it waits or runs, JSON would take many times the memory
/// @param before the response that was steered, where this one follows by itself
record LaneRequest(String lane, byte[] text, @Nullable SteerableResponse before) {
    static final String PREVIOUS = "previous_response_id";
    static final String KEY = "idempotency_key";
    private static final String LANE = "stream_id";
    private static final int LANE_CHARACTERS_MAX = 256;

    /// The lane that a message names; empty for none.
    static String lane(JsonNode body) {
        var lane = body.path(LANE);
        if (lane.isMissingNode() || lane.isNull()) {
            return "";
        }
        int length = lane.isTextual() ? lane.textValue().length() : 0;
        if (length == 0 || length > LANE_CHARACTERS_MAX) {
            throw new WireException(
                    LANE,
                    "invalid_value",
                    "Invalid value for '%s': expected 1 to %d characters.".formatted(LANE, LANE_CHARACTERS_MAX));
        }
        return lane.textValue();
    }

    ObjectNode body() {
        var body = (ObjectNode) WireJson.parse(text);
        body.remove(List.of("type", LANE));
        if (before != null) {
            body.remove(List.of(ResponseEventFormat.INPUT, KEY));
            body.put(PREVIOUS, before.id());
        }
        return body;
    }
}
