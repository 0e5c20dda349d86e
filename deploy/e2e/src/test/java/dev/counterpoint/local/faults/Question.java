package dev.counterpoint.local.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// What callers ask: short and long answers, long thoughts, and a tool.
enum Question {
    SUM("What is 17 plus 25?"),
    RECITAL("Recite 60 verifiable words after 20 thoughts."),
    LONG_RECITAL("Recite 250 verifiable words after 60 thoughts."),
    SKY("Why is the sky blue?"),
    WEATHER("What is the weather in Paris?\ncall: get_weather {\"city\": \"Paris\"}"),
    /// The question before with what the model called and what came of it.
    FORECAST(WEATHER.text);

    static final ObjectMapper JSON = new ObjectMapper();
    private static final String PARAMETERS = """
            {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}""";
    private static final String RESULT = "{\"city\":\"Paris\",\"temperature_celsius\":21,\"sky\":\"sunny\"}";
    private static final String DESCRIPTION = "Current weather of a city";

    private final String text;

    Question(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /// How many words are to be recited; 0 for other questions.
    int words() {
        return switch (this) {
            case RECITAL -> 80;
            case LONG_RECITAL -> 310;
            case SUM, SKY, WEATHER, FORECAST -> 0;
        };
    }

    boolean offersTool() {
        return this == WEATHER || this == FORECAST;
    }

    /// The Responses API's `input` and `tools`.
    ///
    /// @param called items of the answer to [#WEATHER]; empty for other questions
    void putInput(ObjectNode body, Iterable<JsonNode> called) {
        var items = body.putArray("input");
        items.addObject().put("role", "user").put("content", text);
        called.forEach(items::add);
        called.forEach(item -> {
            if (item.path("type").asText().equals("function_call")) {
                items.addObject()
                        .put("type", "function_call_output")
                        .put("call_id", item.path("call_id").asText())
                        .put("output", RESULT);
            }
        });
        if (offersTool()) {
            describe(body.putArray("tools").addObject().put("type", "function"));
            // A caller that carries the turn itself: what it thought is there before its row is, and without it.
            body.putArray("include").add("reasoning.encrypted_content");
        }
    }

    /// Chat's `messages` and `tools`.
    ///
    /// @param called the message that answered [#WEATHER]; empty for other questions
    void putMessages(ObjectNode body, Iterable<JsonNode> called) {
        ArrayNode messages = body.putArray("messages");
        messages.addObject().put("role", "user").put("content", text);
        called.forEach(message -> {
            messages.add(message);
            message.path("tool_calls")
                    .forEach(call -> messages.addObject()
                            .put("role", "tool")
                            .put("tool_call_id", call.path("id").asText())
                            .put("content", RESULT));
        });
        if (offersTool()) {
            describe(body.putArray("tools").addObject().put("type", "function").putObject("function"));
        }
    }

    private static void describe(ObjectNode function) {
        function.put("name", "get_weather").put("description", DESCRIPTION);
        function.set("parameters", tree(PARAMETERS));
    }

    static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("no JSON: " + json, broken);
        }
    }
}
