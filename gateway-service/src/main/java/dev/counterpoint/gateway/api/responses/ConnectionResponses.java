package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.WireJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The responses of one connection that no database has, so that the next one can name them in
/// `previous_response_id`: input and output of each, 64 of them, together no longer than one request may be.
/// Thread-safe.
final class ConnectionResponses {
    private static final String PREVIOUS = LaneRequest.PREVIOUS;
    private static final String INPUT = ResponseEventFormat.INPUT;

    private static final int RESPONSES_MAX = 64;

    private final long bytesMax;
    private final Map<String, Known> known = new LinkedHashMap<>();
    private long bytes;

    /// @param base id of the stored response before the items; null for none
    /// @param items JSON of all items since
    record Known(@Nullable String base, byte[] items) {
        /// @param request as [#unfold] left it
        static Known of(ObjectNode request) {
            return new Known(
                    request.path(PREVIOUS).textValue(),
                    WireJson.writeBytes(ConnectionResponses.items(request.path(INPUT))));
        }
    }

    ConnectionResponses(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// Replaces the previous response in a request by its items, where it is known here.
    ///
    /// @return its id; null where the request names none, or one that the database may have
    synchronized @Nullable String unfold(ObjectNode request) {
        var id = request.path(PREVIOUS).asText("");
        var previous = known.get(id);
        if (previous == null || request.hasNonNull("conversation")) {
            return null; // one in a conversation is refused as any other
        }
        var items = (ArrayNode) WireJson.parse(previous.items);
        request.set(INPUT, items.addAll(items(request.path(INPUT))));
        if (previous.base == null) {
            request.remove(PREVIOUS);
        } else {
            request.put(PREVIOUS, previous.base);
        }
        return id;
    }

    /// Remembers a response; the oldest ones are forgotten where there is no room.
    ///
    /// @param asked of its request
    /// @param output of the response
    synchronized void put(String id, Known asked, JsonNode output) {
        var items = WireJson.writeBytes(((ArrayNode) WireJson.parse(asked.items)).addAll((ArrayNode) output));
        forget(id); // a response that is replayed comes again
        known.put(id, new Known(asked.base, items));
        bytes += items.length;
        while (bytes > bytesMax || known.size() > RESPONSES_MAX) {
            forget(known.keySet().iterator().next());
        }
    }

    /// Forgets a response, if it is known.
    synchronized void forget(String id) {
        var gone = known.remove(id);
        bytes -= gone == null ? 0 : gone.items.length;
    }

    private static ArrayNode items(JsonNode input) {
        var items = JsonNodeFactory.instance.arrayNode();
        if (input.isTextual()) {
            items.addObject().put("type", "message").put("role", "user").set("content", input);
        } else if (input instanceof ArrayNode several) {
            items.addAll(several);
        }
        return items;
    }
}
