package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A Chat Completions server with a model that is not Harmony. What it says follows from what it is told
/// last and from how it is told to show its reasoning; everything comes in pieces of three characters.
/// Or it says what a test's own model says, at a pace.
public final class ChatServer implements AutoCloseable {
    /// Stands in reasoning only.
    static final String CANARY = "cassowary";

    static final String REASONS = "I add two and two as a " + CANARY + " would.";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PIECE = 3;
    /// What follows in a question is said as it stands.
    static final String SAY = "Say: ";

    private static final Duration PACE = Duration.ofMillis(20);

    private final HttpServer http;
    private volatile @Nullable Function<JsonNode, List<ObjectNode>> model;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    /// Opens when a reader of `Hang` has heard the beginning.
    final CountDownLatch hangs = new CountDownLatch(1);

    ChatServer() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.createContext("/v1/models", exchange -> answer(exchange, 200, "{\"object\":\"list\",\"data\":[]}"));
        http.createContext("/v1/chat/completions", this::complete);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.start();
    }

    /// Serves another model from now on.
    ///
    /// @param other gives the deltas of its answer to a request; null for this server's own
    public void serve(@Nullable Function<JsonNode, List<ObjectNode>> other) {
        model = other;
    }

    /// As people write it, with the version.
    public String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort() + "/v1";
    }

    /// The last request; the survey's left out.
    JsonNode request() {
        return requests.getLast();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private void complete(HttpExchange exchange) throws IOException {
        var request = JSON.readTree(exchange.getRequestBody());
        if (request.has("stream")) {
            requests.add(request);
        }
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (var out = exchange.getResponseBody()) {
            say(request, out);
        }
    }

    private void say(JsonNode request, OutputStream out) throws IOException {
        var other = model;
        if (other != null) {
            var deltas = other.apply(request);
            for (var delta : deltas) {
                chunk(delta, null, out);
                LockSupport.parkNanos(PACE.toNanos());
            }
            boolean calls = deltas.stream().anyMatch(delta -> delta.has("tool_calls"));
            chunk(JsonNodeFactory.instance.objectNode(), calls ? "tool_calls" : "stop", out);
            return;
        }
        var messages = request.path("messages");
        var last = messages.path(messages.size() - 1);
        var asked = last.path("content").asText();
        boolean enveloped = messages.path(0).path("content").asText().contains("one JSON object");
        if (asked.startsWith(SAY)) {
            type(asked.substring(SAY.length()), out);
        } else if (last.path("role").asText().equals("tool")) {
            type("It is " + asked + ".", out);
        } else if (request.has("tools")) {
            call(out);
            return;
        } else if (asked.startsWith("Given the answer above")) {
            type(REASONS, out);
        } else if (asked.equals("Hang") && hangs.getCount() == 0) {
            // Asked again, because the worker died before anybody had read a word.
            write("data: {\"error\":{}}\n\n", out);
            return;
        } else if (asked.equals("Hang")) {
            type("So far", out);
            hangs.countDown();
            await(out);
        } else if (asked.equals("Think")) {
            type("<think>" + REASONS + "</think>\n\n4", out);
        } else if (enveloped && !asked.equals("Just answer")) {
            var object = JsonNodeFactory.instance.objectNode().put("reasoning", REASONS);
            type(object.put("answer", "4").toString(), out);
        } else {
            type("4", out);
        }
        chunk(JsonNodeFactory.instance.objectNode(), "stop", out);
    }

    /// Until the other side is gone.
    private static void await(OutputStream out) throws IOException {
        while (true) {
            write(": still here\n\n", out);
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static void call(OutputStream out) throws IOException {
        chunk(callOf("weather", "{\"city\":\"Bonn\"}"), null, out);
        chunk(JsonNodeFactory.instance.objectNode(), "tool_calls", out);
    }

    /// The delta of a call.
    public static ObjectNode callOf(String function, String arguments) {
        var delta = JsonNodeFactory.instance.objectNode();
        var call = delta.putArray("tool_calls").addObject().put("index", 0).put("id", "up_1");
        call.put("type", "function").putObject("function").put("name", function).put("arguments", arguments);
        return delta;
    }

    private static void type(String text, OutputStream out) throws IOException {
        for (int from = 0; from < text.length(); from += PIECE) {
            var piece = text.substring(from, Math.min(text.length(), from + PIECE));
            chunk(contentOf(piece), null, out);
        }
    }

    /// The delta of a text.
    public static ObjectNode contentOf(String piece) {
        return JsonNodeFactory.instance.objectNode().put("content", piece);
    }

    private static void chunk(ObjectNode delta, String finish, OutputStream out) throws IOException {
        var chunk = JsonNodeFactory.instance.objectNode().put("object", "chat.completion.chunk");
        var choice = chunk.putArray("choices").addObject().put("index", 0).put("finish_reason", finish);
        choice.set("delta", delta);
        write("data: " + chunk + "\n\n", out);
    }

    private static void write(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
