package dev.counterpoint.local.canary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/// The bodies of requests that make the model think of a canary.
final class CanaryRequests {
    static final String MODEL = "counterpoint-simulated";
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String QUESTION = "What is 17 plus 25?";
    static final String WEATHER = "What is the weather in Paris?\ncall: get_weather {}";
    private static final String RESULT = "{\"city\":\"Paris\",\"temperature_celsius\":21,\"sky\":\"sunny\"}";
    private static final String PARAMETERS = """
            {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}""";
    static final String TOOL = """
            "tools":[{"type":"function","name":"get_weather","description":"Current weather of a city","parameters":%s}]""".formatted(PARAMETERS);
    static final String CHAT_TOOL = """
            "tools":[{"type":"function","function":{"name":"get_weather","description":"Current weather of a city",
            "parameters":%s}}]""".formatted(PARAMETERS);

    private CanaryRequests() {}

    /// @param more members, each after a comma
    static String request(Canary canary, String question, boolean stream, String more) {
        return "{\"model\":\"%s\",\"input\":%s,\"stream\":%s%s}"
                .formatted(MODEL, quoted(canary, question), stream, more);
    }

    static String chatRequest(Canary canary, String question, boolean stream, String more) {
        return "{\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":%s}],\"stream\":%s%s}"
                .formatted(MODEL, quoted(canary, question), stream, more);
    }

    private static JsonNode quoted(Canary canary, String question) {
        return JSON.getNodeFactory().textNode(canary.wish() + " " + question);
    }

    /// Asks for a summary of long thoughts.
    static String summary(String detail) {
        return slow(",\"summary\":\"" + detail + "\"");
    }

    /// Thinks long.
    static String slow(String more) {
        return ",\"reasoning\":{\"effort\":\"high\"" + more + "}";
    }

    /// The tool turn again with its output and the result of its call.
    static String followUp(Canary canary, Iterable<JsonNode> output, String more) {
        var items = JSON.createArrayNode();
        items.addObject().put("role", "user").put("content", canary.wish() + " " + WEATHER);
        output.forEach(items::add);
        output.forEach(item -> {
            if (item.path("type").asText().equals("function_call")) {
                items.addObject()
                        .put("type", "function_call_output")
                        .put("call_id", item.path("call_id").asText())
                        .put("output", RESULT);
            }
        });
        return "{\"model\":\"%s\",\"input\":%s,%s%s}".formatted(MODEL, items, TOOL, more);
    }

    static String chatFollowUp(Canary canary, JsonNode message) {
        return """
                {"model":"%s",%s,"reasoning":{},"messages":[{"role":"user","content":%s},%s,
                 {"role":"tool","tool_call_id":"%s","content":%s}]}""".formatted(
                        MODEL,
                        CHAT_TOOL,
                        quoted(canary, WEATHER),
                        message,
                        message.path("tool_calls").path(0).path("id").asText(),
                        JSON.getNodeFactory().textNode(RESULT));
    }

    /// The first turn again and a new question.
    static String next(String previous) {
        return """
                {"model":"%s","input":"And what is 2 plus 2?","previous_response_id":"%s"}""".formatted(MODEL, previous);
    }
}
