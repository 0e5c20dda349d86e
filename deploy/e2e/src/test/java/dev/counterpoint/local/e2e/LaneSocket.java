package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A client of the Responses API on one WebSocket, which keeps all that it gets.
final class LaneSocket implements WebSocket.Listener, AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;
    private volatile boolean gone;

    LaneSocket(RunningSuite.Service gateway, String key) {
        socket = HTTP.newWebSocketBuilder()
                .header("Authorization", "Bearer " + key)
                .buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + "/v1/responses"), this)
                .join();
    }

    void send(String message) {
        socket.sendText(message, true).join();
    }

    /// The events of a lane so far, without its name: as HTTP streams them.
    List<ObjectNode> lane(String name) {
        var lane = new ArrayList<ObjectNode>();
        for (var event : events) {
            if (event.path("stream_id").asText().equals(name)) {
                lane.add(((ObjectNode) event.deepCopy()).without("stream_id"));
            }
        }
        return lane;
    }

    /// Waits until a lane is as wanted.
    List<ObjectNode> await(String lane, Predicate<List<ObjectNode>> wanted) throws InterruptedException {
        return Eventually.until(() -> lane(lane), wanted);
    }

    void awaitGone() throws InterruptedException {
        assertThat(Eventually.until(() -> gone, lost -> lost)).isTrue();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            events.add(ApiClient.tree(text.toString()));
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        gone = true;
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        gone = true;
    }

    @Override
    public void close() {
        socket.abort();
    }
}
