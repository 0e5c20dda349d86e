package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.ResponseEcho;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.ResponseStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The response to a request with `generate: false`: it has an id and no output, and no model runs.
///
/// @param previous the `previous_response_id` to show; null for that of the request
record WarmUp(String id, ResponseEcho echo, @Nullable String previous) {
    WarmUp(ResponseEcho echo, @Nullable String previous) {
        this("resp_" + UUID.randomUUID().toString().replace("-", ""), echo, previous);
    }

    /// The events of its stream.
    List<ObjectNode> all() {
        long now = Instant.now().getEpochSecond();
        var begun = response(now, ResponseStatus.IN_PROGRESS);
        var ended = response(now, ResponseStatus.COMPLETED).put("completed_at", now);
        var usage = ended.putObject("usage")
                .put("input_tokens", 0)
                .put("output_tokens", 0)
                .put("total_tokens", 0);
        usage.putObject("input_tokens_details").put("cached_tokens", 0).put("cache_write_tokens", 0);
        usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
        return List.of(event(0, "created", begun), event(1, "in_progress", begun), event(2, "completed", ended));
    }

    private ObjectNode response(long now, ResponseStatus status) {
        var response = (ObjectNode) WireJson.tree(ResponseObject.fresh(id, now, status, echo));
        return previous == null ? response : response.put("previous_response_id", previous);
    }

    private static ObjectNode event(int number, String what, ObjectNode response) {
        var event = response.objectNode().put("type", "response." + what).put("sequence_number", number);
        return event.set("response", response);
    }
}
