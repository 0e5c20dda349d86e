package dev.counterpoint.gateway.api.responses;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.openai.json.WireJson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client of the Responses API on a WebSocket.
final class SocketClient implements WebSocket.Listener, AutoCloseable {
    private static final long SECONDS_MAX = 20;
    private static final Set<String> LAST =
            Set.of("response.completed", "response.incomplete", "response.failed", "error");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    SocketClient(String key) {
        var http = Api.uri("/v1/responses");
        socket = HTTP.newWebSocketBuilder()
                .header("Authorization", "Bearer " + key)
                .header("OpenAI-Beta", "responses_websockets=2026-02-06")
                .buildAsync(URI.create("ws" + http.toString().substring("http".length())), this)
                .join();
    }

    void send(String message) {
        socket.sendText(message, true).join();
    }

    /// One message in two frames.
    void sendInTwo(String first, String second) {
        socket.sendText(first, false).join();
        socket.sendText(second, true).join();
    }

    /// The next event of any lane.
    JsonNode next() throws InterruptedException {
        var event = events.poll(SECONDS_MAX, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event in time, connection: " + closed);
        }
        return event;
    }

    /// The next event of this type; those before are left out.
    JsonNode until(String type) throws InterruptedException {
        var event = next();
        while (!event.path("type").asText().equals(type)) {
            event = next();
        }
        return event;
    }

    void steer(String response, String input) {
        send("{\"type\":\"response.steer\",\"previous_response_id\":\"%s\",\"input\":%s}".formatted(response, input));
    }

    /// The events up to a terminal one.
    List<JsonNode> turn() throws InterruptedException {
        var turn = new ArrayList<JsonNode>();
        do {
            turn.add(next());
        } while (!LAST.contains(turn.getLast().path("type").asText()));
        return turn;
    }

    List<JsonNode> ask(String message) throws InterruptedException {
        send(message);
        return turn();
    }

    /// The code with which the other side closed.
    int closeCode() throws Exception {
        return closed.get(SECONDS_MAX, TimeUnit.SECONDS);
    }

    /// Breaks the connection.
    void leave() {
        socket.abort();
    }

    @Override
    public void close() {
        socket.abort();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            events.add(WireJson.parse(text.toString().getBytes(StandardCharsets.UTF_8)));
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.completeExceptionally(error);
    }
}
