package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.turn.EventFormat;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.openai.responses.StreamEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Events of a response as text messages of a WebSocket: those of the HTTP stream, each with the `stream_id` of its
/// lane.
///
/// @param lane the `stream_id`; empty where the request has none
/// @param previous the `previous_response_id` to show, where the connection itself knew that response; null for as the
///     response has it
/// @param encrypted whether reasoning is shown in its sealed form too
/// @param answered takes the response before its last event is written
record SocketEventFormat(String lane, @Nullable String previous, boolean encrypted, Consumer<ResponseObject> answered)
        implements EventFormat<StreamEvent> {
    @Override
    public List<byte[]> blocks(StreamEvent event) {
        switch (event) {
            case StreamEvent.Lifecycle.Completed(long _, var response) -> answered.accept(response);
            case StreamEvent.Lifecycle.Incomplete(long _, var response) -> answered.accept(response);
            default -> {}
        }
        return List.of(ResponseEventFormat.block(event, encrypted, shown -> message(linked(event, shown), lane)));
    }

    private Object linked(StreamEvent event, Object shown) {
        if (previous == null || !(event instanceof StreamEvent.Lifecycle)) {
            return shown;
        }
        var tree = (ObjectNode) WireJson.tree(shown);
        tree.withObject("/response").put(LaneRequest.PREVIOUS, previous);
        return tree;
    }

    /// A message in the lane.
    ///
    /// @param body an object with at least one member
    static byte[] message(Object body, String lane) {
        var text = WireJson.writeBytes(body);
        if (lane.isEmpty()) {
            return text;
        }
        var last = (",\"stream_id\":" + WireJson.write(lane) + "}").getBytes(StandardCharsets.UTF_8);
        var whole = new byte[text.length - 1 + last.length];
        System.arraycopy(text, 0, whole, 0, text.length - 1);
        System.arraycopy(last, 0, whole, text.length - 1, last.length);
        return whole;
    }

    @Override
    public boolean atOnce() {
        return true;
    }

    /// The terminal event ends a response of a WebSocket.
    @Override
    public Optional<byte[]> done() {
        return Optional.empty();
    }
}
