package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.sse.SseEvent;
import dev.counterpoint.testkit.contract.ContractValidator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// One question in, an answer out, through every process of the path.
@ExtendWith(SharedSuite.class)
class AnswersIT {
    private static final String WEATHER = """
            {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}""";
    private static final String RESULT =
            "{\\\"city\\\":\\\"Paris\\\",\\\"temperature_celsius\\\":21,\\\"sky\\\":\\\"sunny\\\"}";

    /// A question with the script of the simulated engine, as JSON spells it.
    private static final String SUM = "What is 17 plus 25?\\nsay: It is 42.";

    private static final String CALL =
            "What is the weather in Paris?\\ncall: get_weather {\\\"city\\\": \\\"Paris\\\"}";

    private static ApiClient plain;
    private static ApiClient raw;

    @BeforeAll
    static void connect() {
        plain = SharedSuite.suite().client(RunningSuite.SUMMARY_KEY);
        raw = SharedSuite.suite().client(RunningSuite.RAW_KEY);
    }

    @Test
    void streamsAResponse() {
        var events = plain.stream("/v1/responses", responses(SUM, ",\"stream\":true"));

        assertThat(Streams.types(events)).startsWith("response.created", "response.in_progress");
        assertThat(Streams.terminals(events)).containsExactly("response.completed");
        assertThat(events.getLast().data()).isEqualTo("[DONE]");
        assertThat(Streams.text(events, "response.output_text.delta")).contains("42");
        assertThat(sequence(events))
                .isEqualTo(IntStream.range(0, events.size() - 1).boxed().toList());
        assertContract(events);
    }

    @Test
    void showsRawReasoningToTheEntitledKeyOnly() {
        var seen = raw.stream("/v1/responses", responses(SUM, ",\"stream\":true"));
        var hidden = plain.stream("/v1/responses", responses(SUM, ",\"stream\":true"));

        assertThat(Streams.text(seen, "response.reasoning_text.delta")).isNotBlank();
        assertThat(Streams.types(hidden)).noneMatch(type -> type.startsWith("response.reasoning_text"));
        assertContract(seen);
    }

    @Test
    void streamsAChatCompletion() {
        var events = plain.stream("/v1/chat/completions", chat(SUM, ",\"stream\":true"));

        assertThat(Streams.chatText(events, "content")).contains("42");
        assertThat(Streams.chatText(events, "reasoning")).isEmpty();
        assertThat(events.getLast().data()).isEqualTo("[DONE]");
    }

    @Test
    void putsRawReasoningIntoTheDeltasOfAnEntitledChat() {
        var events = raw.stream("/v1/chat/completions", chat(SUM, ",\"stream\":true"));

        assertThat(Streams.chatText(events, "reasoning")).isNotBlank();
    }

    @Test
    void answersWithoutStreamingWhatItWouldHaveStreamed() {
        var streamed = plain.stream("/v1/responses", responses("How many r's are in strawberry?", ",\"stream\":true"));
        var whole = plain.post("/v1/responses", responses("How many r's are in strawberry?", ""))
                .body();

        assertThat(outputText(whole)).isEqualTo(Streams.text(streamed, "response.output_text.delta"));
        assertThat(whole.path("usage").path("output_tokens").asInt()).isPositive();
        ContractValidator.load()
                .ifPresent(contract ->
                        assertThat(contract.violations("Response", whole)).isEmpty());
    }

    @Test
    void storesAResponseAsItWasAnswered() {
        var answered = plain.post("/v1/responses", responses("Say hello.", "")).body();

        var stored = plain.get("/v1/responses/" + answered.path("id").asText()).body();

        // Sealed reasoning is forgotten here when its turn is over; from then on only the client has it.
        assertThat(stored).isEqualTo(withoutSealedReasoning(answered));
    }

    @Test
    void callsAToolAndAnswersFromItsResultOverResponses() {
        var tools = ",\"tools\":[{\"type\":\"function\",\"name\":\"get_weather\",\"description\":\"Current weather of a"
                + " city\",\"parameters\":" + WEATHER + ",\"strict\":true}]";
        var first = plain.stream("/v1/responses", responses(CALL, tools + ",\"stream\":true"));
        var called = Streams.bodies(first).getLast().path("response");
        var call = item(called, "function_call");

        var answer = plain.post("/v1/responses", """
                {"model":"%s","previous_response_id":"%s"%s,
                 "input":[{"type":"function_call_output","call_id":"%s","output":"%s"}]}""".formatted(
                        RunningSuite.MODEL,
                        called.path("id").asText(),
                        tools,
                        call.path("call_id").asText(),
                        RESULT));

        assertThat(call.path("name").asText()).isEqualTo("get_weather");
        assertThat(ApiClient.tree(call.path("arguments").asText()).path("city").asText())
                .isEqualTo("Paris");
        assertThat(outputText(answer.body())).contains("21");
        assertContract(first);
    }

    @Test
    void callsAToolAndAnswersFromItsResultOverChat() {
        var tools =
                ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"description\":\"Current"
                        + " weather of a city\",\"parameters\":" + WEATHER + "}}]";
        var question = CALL;
        var first = plain.post("/v1/chat/completions", chat(question, tools)).body();
        var message = first.path("choices").path(0).path("message");

        var answer = plain.post("/v1/chat/completions", """
                {"model":"%s"%s,"messages":[{"role":"user","content":"%s"},%s,
                 {"role":"tool","tool_call_id":"%s","content":"%s"}]}""".formatted(
                                RunningSuite.MODEL,
                                tools,
                                question,
                                message,
                                message.path("tool_calls").path(0).path("id").asText(),
                                RESULT))
                .body();

        assertThat(first.path("choices").path(0).path("finish_reason").asText()).isEqualTo("tool_calls");
        assertThat(answer.path("choices")
                        .path(0)
                        .path("message")
                        .path("content")
                        .asText())
                .contains("21");
    }

    @Test
    void remembersTheConversation() {
        var first = plain.post("/v1/responses", responses(SUM, "")).body();

        var second = plain.post(
                        "/v1/responses",
                        responses(
                                SUM,
                                ",\"previous_response_id\":\""
                                        + first.path("id").asText() + "\""))
                .body();

        assertThat(second.path("usage").path("input_tokens").asInt())
                .isGreaterThan(first.path("usage").path("input_tokens").asInt());
    }

    @Test
    void listsTheModelThatWorkersServe() {
        var models = plain.get("/v1/models").body();

        assertThat(models.path("data").findValuesAsText("id"))
                .containsExactlyInAnyOrder(RunningSuite.MODEL, SharedSuite.SLOW, SharedSuite.SINGLE);
        ContractValidator.load()
                .ifPresent(contract -> assertThat(contract.violations("ListModelsResponse", models))
                        .isEmpty());
    }

    private static JsonNode withoutSealedReasoning(JsonNode response) {
        JsonNode copy = response.deepCopy();
        copy.path("output").forEach(item -> ((ObjectNode) item).remove("encrypted_content"));
        return copy;
    }

    private static void assertContract(List<SseEvent> events) {
        ContractValidator.load().ifPresent(contract -> {
            for (var event : Streams.bodies(events)) {
                assertThat(contract.eventViolations(event)).as(event.toString()).isEmpty();
            }
        });
    }

    private static List<Integer> sequence(List<SseEvent> events) {
        return Streams.bodies(events).stream()
                .map(event -> event.path("sequence_number").asInt(-1))
                .toList();
    }

    private static JsonNode item(JsonNode response, String type) {
        for (var item : response.path("output")) {
            if (item.path("type").asText().equals(type)) {
                return item;
            }
        }
        throw new AssertionError("no " + type + " in " + response);
    }

    private static String outputText(JsonNode response) {
        return item(response, "message").path("content").path(0).path("text").asText();
    }

    private static String responses(String question, String more) {
        return "{\"model\":\"%s\",\"input\":\"%s\"%s}".formatted(RunningSuite.MODEL, question, more);
    }

    private static String chat(String question, String more) {
        return "{\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]%s}"
                .formatted(RunningSuite.MODEL, question, more);
    }
}
