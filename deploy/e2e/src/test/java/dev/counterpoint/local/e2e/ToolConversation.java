package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// A conversation with tools over one of the two APIs, whole or streamed. The client keeps all of it and sends it
/// whole each time.
abstract sealed class ToolConversation {
    final ApiClient client;
    final boolean streamed;
    final ArrayNode said = ApiClient.JSON.createArrayNode();

    private ToolConversation(ApiClient client, boolean streamed) {
        this.client = client;
        this.streamed = streamed;
    }

    static ToolConversation overChat(ApiClient client, boolean streamed) {
        return new Chat(client, streamed);
    }

    static ToolConversation overResponses(ApiClient client, boolean streamed) {
        return new Responses(client, streamed);
    }

    /// What the model said to one request.
    ///
    /// @param reasoning as the API shows it
    /// @param text of the answer
    record Turn(String reasoning, String text, List<Call> calls) {}

    record Call(String id, String name, String arguments) {}

    void user(String text) {
        said.addObject().put("role", "user").put("content", text);
    }

    /// Lets the model go on.
    abstract Turn next(List<JsonNode> tools);

    abstract void output(Call call, String output);

    /// A request with what both APIs have alike.
    ObjectNode request() {
        return ApiClient.JSON.createObjectNode().put("model", RunningSuite.MODEL);
    }

    JsonNode whole(String path, ObjectNode request) {
        var answer = client.post(path, request.toString());
        if (answer.status() != 200) {
            throw new AssertionError(answer.status() + " " + answer.body());
        }
        return answer.body();
    }

    private static final class Chat extends ToolConversation {
        private static final String PATH = "/v1/chat/completions";

        Chat(ApiClient client, boolean streamed) {
            super(client, streamed);
        }

        @Override
        Turn next(List<JsonNode> tools) {
            var request = request();
            request.set("messages", said);
            var offered = request.putArray("tools");
            tools.forEach(tool -> offered.addObject().put("type", "function").set("function", declaration(tool)));
            var message = streamed ? streamed(request) : whole(PATH, request).at("/choices/0/message");
            said.add(message);
            var calls = message.path("tool_calls")
                    .valueStream()
                    .map(call -> new Call(
                            call.path("id").asText(),
                            call.at("/function/name").asText(),
                            call.at("/function/arguments").asText()))
                    .toList();
            return new Turn(
                    message.path("reasoning").asText(""),
                    message.path("content").asText(""),
                    calls);
        }

        private static ObjectNode declaration(JsonNode tool) {
            ObjectNode function = tool.deepCopy();
            return function.without(List.of("type", "output"));
        }

        /// The message that the deltas add up to.
        private JsonNode streamed(ObjectNode request) {
            var message = ApiClient.JSON.createObjectNode().put("role", "assistant");
            var texts = List.of("content", "reasoning");
            for (var chunk : Streams.bodies(
                    client.stream(PATH, request.put("stream", true).toString()))) {
                var delta = chunk.at("/choices/0/delta");
                for (var member : texts) {
                    if (delta.path(member).isTextual()) {
                        message.put(
                                member,
                                message.path(member).asText("")
                                        + delta.path(member).textValue());
                    }
                }
                delta.path("tool_calls").forEach(piece -> append(piece, message.withArray("tool_calls")));
            }
            return message;
        }

        private static void append(JsonNode piece, ArrayNode calls) {
            if (piece.path("index").asInt() == calls.size()) {
                ObjectNode call = piece.deepCopy();
                calls.add(call.without(List.of("index")));
            } else {
                var function =
                        (ObjectNode) calls.get(piece.path("index").asInt()).path("function");
                function.put(
                        "arguments",
                        function.path("arguments").asText()
                                + piece.at("/function/arguments").asText(""));
            }
        }

        @Override
        void output(Call call, String output) {
            said.addObject().put("role", "tool").put("tool_call_id", call.id).put("content", output);
        }
    }

    private static final class Responses extends ToolConversation {
        private static final String PATH = "/v1/responses";

        Responses(ApiClient client, boolean streamed) {
            super(client, streamed);
        }

        @Override
        Turn next(List<JsonNode> tools) {
            var request = request().put("store", false);
            request.set("input", said);
            var offered = request.putArray("tools");
            tools.forEach(tool -> {
                ObjectNode function = tool.deepCopy();
                offered.add(function.without(List.of("output")));
            });
            var response = streamed
                    ? Streams.bodies(client.stream(
                                    PATH, request.put("stream", true).toString()))
                            .getLast()
                            .path("response")
                    : whole(PATH, request);
            var items = response.path("output");
            items.forEach(said::add);
            return new Turn(
                    text(items, "reasoning", "reasoning_text"),
                    text(items, "message", "output_text"),
                    items.valueStream()
                            .filter(item -> item.path("type").asText().equals("function_call"))
                            .map(call -> new Call(
                                    call.path("call_id").asText(),
                                    call.path("name").asText(),
                                    call.path("arguments").asText()))
                            .toList());
        }

        private static String text(JsonNode items, String type, String part) {
            var text = new StringBuilder();
            items.valueStream()
                    .filter(item -> item.path("type").asText().equals(type))
                    .flatMap(item -> item.path("content").valueStream())
                    .filter(content -> content.path("type").asText().equals(part))
                    .forEach(content -> text.append(content.path("text").asText()));
            return text.toString();
        }

        @Override
        void output(Call call, String output) {
            said.addObject()
                    .put("type", "function_call_output")
                    .put("call_id", call.id)
                    .put("output", output);
        }
    }
}
