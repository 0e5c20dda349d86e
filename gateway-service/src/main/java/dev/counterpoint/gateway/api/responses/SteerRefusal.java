package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Why a steer does not become the input of a response. The contract's codes.
enum SteerRefusal {
    RESPONSE_NOT_FOUND("No response of this id runs on this connection."),
    INVALID_INPUT(
            "Steering takes text, or messages of the role 'user' with text and, where the model takes them, images."),
    STEERING_NOT_SUPPORTED("Responses in a conversation, and those with automatic compaction, cannot be steered."),
    TOO_MANY_PENDING_STEERS("Too much input waits for this response to end."),
    RESPONSE_ALREADY_COMPLETED("The response had completed before the input came."),
    RESPONSE_NOT_ACTIVE("The response had ended before the input came."),
    SUCCESSOR_CREATION_FAILED("The response with this input could not be created.");

    private final String message;

    SteerRefusal(String message) {
        this.message = message;
    }

    /// The event that gives the input back.
    ///
    /// @param id of the steer; null for one that was not accepted
    ObjectNode event(@Nullable String id, String response, JsonNode input) {
        var event = JsonNodeFactory.instance.objectNode().put("type", "response.steer.failed");
        event.put("sequence_number", 0)
                .putObject("error")
                .put("type", "invalid_request_error")
                .put("code", name().toLowerCase(Locale.ROOT))
                .put("message", message);
        var steer = event.putObject("steer");
        if (id != null) {
            steer.put("id", id);
        }
        steer.put(LaneRequest.PREVIOUS, response).set("input", input);
        return event;
    }
}
