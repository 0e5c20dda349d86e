package dev.counterpoint.worker.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// A Chat Completions server that says what a test wrote down. It reads requests as strictly as servers
/// do: roles, results that follow their calls in their order, no member that it does not know.
final class FakeChatServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> MEMBERS = Set.of(
            "model",
            "messages",
            "stream",
            "temperature",
            "top_p",
            "presence_penalty",
            "frequency_penalty",
            "seed",
            "max_tokens",
            "tools",
            "tool_choice",
            "response_format",
            "parallel_tool_calls",
            "top_k",
            "min_p",
            "repetition_penalty",
            "reasoning_effort",
            "chat_template_kwargs");

    private final FakeHttpServer http = new FakeHttpServer(this::handle);
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<FakeHttpServer.Handler> answers = new CopyOnWriteArrayList<>();

    URI address() {
        return http.address();
    }

    /// The bodies of all requests, the last one last; the survey's left out.
    List<JsonNode> requests() {
        return requests;
    }

    JsonNode request() {
        return requests.getLast();
    }

    /// The next request is answered so.
    FakeChatServer answers(FakeHttpServer.Handler handler) {
        answers.add(handler);
        return this;
    }

    /// The next request is answered with these chunks.
    FakeChatServer says(ObjectNode... chunks) {
        return answers(exchange -> {
            exchange.beginEvents();
            for (var chunk : chunks) {
                exchange.data(chunk);
            }
            exchange.data("[DONE]");
        });
    }

    /// The next request is answered with this text, a character a chunk, until it stops.
    FakeChatServer types(String text) {
        var chunks = new ArrayList<ObjectNode>();
        chunks.add(delta(node().put("role", "assistant").put("content", "")));
        text.codePoints().forEach(c -> chunks.add(content(Character.toString(c))));
        chunks.add(finish("stop"));
        return says(chunks.toArray(new ObjectNode[0]));
    }

    static ObjectNode content(String text) {
        return delta(node().put("content", text));
    }

    static ObjectNode delta(ObjectNode delta) {
        var chunk = node().put("id", "c").put("object", "chat.completion.chunk").put("model", "up");
        var choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        choice.putNull("finish_reason");
        return chunk;
    }

    static ObjectNode call(int index, String id, String name, String arguments) {
        var delta = node();
        var call = delta.putArray("tool_calls").addObject().put("index", index);
        if (!id.isEmpty()) {
            call.put("id", id).put("type", "function");
        }
        var function = call.putObject("function").put("arguments", arguments);
        if (!name.isEmpty()) {
            function.put("name", name);
        }
        return delta(delta);
    }

    static ObjectNode finish(String reason) {
        var chunk = delta(node());
        ((ObjectNode) chunk.path("choices").path(0)).put("finish_reason", reason);
        return chunk;
    }

    static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    private void handle(Exchange exchange) throws IOException, InterruptedException {
        switch (exchange.target()) {
            case "GET /v1/models" -> exchange.answer(200, "{\"object\":\"list\",\"data\":[]}");
            case "POST /v1/chat/completions" -> complete(exchange);
            default -> exchange.answer(404, "{}");
        }
    }

    private void complete(Exchange exchange) throws IOException, InterruptedException {
        var request = JSON.readTree(exchange.body());
        if (!request.has("stream")) {
            exchange.answer(200, "{}"); // one token for the survey of servers
            return;
        }
        requests.add(request);
        var mistake = mistake(request);
        if (!mistake.isEmpty() || answers.isEmpty()) {
            exchange.answer(400, "{\"error\":{\"message\":\"" + mistake + "\"}}");
        } else {
            answers.removeFirst().handle(exchange);
        }
    }

    /// @return empty when there is none
    private static String mistake(JsonNode request) {
        for (var member : request.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                return "unknown member " + member.getKey();
            }
        }
        var open = new ArrayList<String>();
        for (var message : request.path("messages")) {
            boolean known = switch (message.path("role").asText()) {
                case "system", "user", "assistant" ->
                    open.isEmpty() && message.path("content").isTextual();
                case "tool" ->
                    !open.isEmpty()
                            && open.removeFirst()
                                    .equals(message.path("tool_call_id").asText());
                default -> false;
            };
            message.path("tool_calls").forEach(call -> open.add(call.path("id").asText()));
            if (!known) {
                return "a message is wrong";
            }
        }
        boolean forced = request.has("tool_choice") && request.path("tools").isEmpty();
        return !open.isEmpty() || forced || !request.path("stream").asBoolean() ? "the conversation is wrong" : "";
    }

    @Override
    public void close() {
        http.close();
    }
}
