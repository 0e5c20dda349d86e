package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.List;

/// The content of one chunk of a stream.
///
/// @param reasoning that the server itself told from the answer; empty for none
/// @param content empty for none
record ChatEvent(String reasoning, String content, List<CallDelta> calls, Finish finish) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ChatEvent NOTHING = new ChatEvent("", "", List.of(), Finish.NONE);

    /// The reason for which the server is done, if it is.
    enum Finish {
        NONE,
        DONE,
        LENGTH
    }

    /// More of a call.
    ///
    /// @param index of the call, in the order of the calls
    /// @param id of the call, on the first delta as a rule; empty for none
    /// @param name more of the function's name, on the first delta as a rule; empty for none
    record CallDelta(int index, String id, String name, String arguments) {}

    /// The characters in this event.
    int characters() {
        int size = reasoning.length() + content.length();
        for (var call : calls) {
            size += call.name.length() + call.arguments.length();
        }
        return size;
    }

    /// @param data of the event
    /// @throws ServerFailure when it is no chunk, or tells of an error
    static ChatEvent read(String data) throws ServerFailure {
        JsonNode event;
        try {
            event = JSON.readTree(data);
        } catch (JsonProcessingException e) {
            throw ServerFailure.wrong("an event is not JSON");
        }
        if (event.hasNonNull("error") || "error".equals(event.path("object").asText())) {
            throw ServerFailure.broken("the server reports an error");
        }
        if (!event.path("choices").isArray()) {
            throw ServerFailure.wrong("an event has no choices");
        }
        var choice = event.path("choices").path(0);
        if (choice.isMissingNode()) {
            return NOTHING;
        }
        var delta = choice.path("delta");
        // UpstreamClient have two names for it; one that has both says the same twice.
        var reasoning = text(delta.path("reasoning_content"));
        return new ChatEvent(
                reasoning.isEmpty() ? text(delta.path("reasoning")) : reasoning,
                text(delta.path("content")),
                calls(delta.path("tool_calls")),
                finish(choice.path("finish_reason")));
    }

    private static List<CallDelta> calls(JsonNode deltas) {
        var calls = new ArrayList<CallDelta>();
        for (var delta : deltas) {
            var function = delta.path("function");
            calls.add(new CallDelta(
                    delta.path("index").asInt(calls.size()),
                    text(delta.path("id")),
                    text(function.path("name")),
                    text(function.path("arguments"))));
        }
        return calls;
    }

    private static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }

    private static Finish finish(JsonNode reason) throws ServerFailure {
        if (!reason.isTextual() || reason.textValue().isEmpty()) {
            return Finish.NONE;
        }
        return switch (reason.textValue()) {
            case "stop", "tool_calls", "function_call", "eos", "eos_token", "stop_sequence" -> Finish.DONE;
            case "length" -> Finish.LENGTH;
            case "content_filter" -> throw ServerFailure.wrong("the server withheld the rest");
            default -> throw ServerFailure.wrong("the server stopped for a reason that is not known here");
        };
    }
}
