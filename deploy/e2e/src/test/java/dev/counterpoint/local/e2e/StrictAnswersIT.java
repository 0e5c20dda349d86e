package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What strict mode promises, through every process of the path: an answer fits its schema, or a limit cut it off
/// and the response says so.
@ExtendWith(SharedSuite.class)
class StrictAnswersIT {
    private static final String RESPONSES = "/v1/responses";
    private static final String CHAT = "/v1/chat/completions";
    private static final String TEXT_DELTA = "response.output_text.delta";
    private static final int TOKENS_MAX = 1500;
    /// Some have values for a schema, some ask for anything but JSON.
    private static final List<String> QUESTIONS = List.of(
            "Ada (36, ada@example.com, +44 20 7946 0000) ordered 12 large lamps in Paris on 2024-05-01 for 99.5 euros.",
            "Answer in one sentence of prose, never in JSON: how many r's are in strawberry?",
            "say: [1, \"zwei\", {\"unknown\": null}] \\u00e9 \u00fc \ud83d\ude00 \" \\ and nothing else.");

    private static ApiClient client;

    @BeforeAll
    static void connect() {
        client = SharedSuite.suite().client(RunningSuite.SUMMARY_KEY);
    }

    static Stream<StrictCase> cases() {
        return Scale.slice(Stream.concat(StrictCase.own(), StrictCase.sampled()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aResponseFitsItsSchema(StrictCase one) {
        for (var question : QUESTIONS) {
            one.check(answer(post(RESPONSES, withFormat(response(question), one))));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aChatCompletionFitsItsSchema(StrictCase one) {
        for (int seed = 0; seed < QUESTIONS.size(); seed++) {
            var request = chat(QUESTIONS.get(seed)).put("seed", seed);
            one.demand(request);

            one.check(chatAnswer(post(CHAT, request)));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theArgumentsOfAForcedCallFitTheirSchema(StrictCase one) {
        for (var question : QUESTIONS) {
            var request = response(question).put("tool_choice", "required");
            addFunction(request, "record", one.schema());

            var answered = post(RESPONSES, request);

            for (var call : calls(answered)) {
                assertThat(call.path("name").asText()).isEqualTo("record");
                one.check(new StrictCase.Said(
                        call.path("status").asText().equals("completed"),
                        call.path("arguments").asText()));
            }
            assertThat(isComplete(answered) ? calls(answered).size() : 1).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aStreamIsAtAllTimesTheStartOfAValue(StrictCase one) {
        for (var question : QUESTIONS) {
            // When
            var events = client.stream(
                    RESPONSES,
                    withFormat(response(question), one).put("stream", true).toString());
            // Then
            var arriving = new ArrivingValue(one);
            Streams.bodies(events).stream()
                    .filter(event -> event.path("type").asText().equals(TEXT_DELTA))
                    .forEach(event -> arriving.accept(event.path("delta").asText()));
            var whole = answer(Streams.bodies(events).getLast().path("response"));
            assertThat(arriving.text()).isEqualTo(whole.text());
            one.check(whole);
        }
    }

    @Test
    void answersAreWholeAsARule() {
        var cut = new ArrayList<String>();
        var cases = cases().toList();
        for (var one : cases) {
            if (!isComplete(post(RESPONSES, withFormat(response(QUESTIONS.getFirst()), one)))) {
                cut.add(one.id());
            }
        }

        assertThat(cut).hasSizeLessThanOrEqualTo(cases.size() / 10);
    }

    @Test
    void aResponseThatALimitCutsOffIsTheStartOfAValue() {
        for (var one : StrictCase.own().toList()) {
            for (int most = 20; most < 120; most += 10) {
                var request = withFormat(response(QUESTIONS.getFirst()), one).put("max_output_tokens", most);

                one.check(answer(post(RESPONSES, request)));
            }
        }
    }

    @Test
    void jsonModeAnswersWithAnObject() {
        for (var question : QUESTIONS) {
            var asked = "As JSON: " + question;
            var response = response(asked);
            response.putObject("text").putObject("format").put("type", "json_object");
            var chat = chat(asked);
            chat.putObject("response_format").put("type", "json_object");

            for (var said : List.of(answer(post(RESPONSES, response)), chatAnswer(post(CHAT, chat)))) {
                assertThat(said.complete()).as(said.text()).isTrue();
                assertThat(ApiClient.tree(said.text()).isObject())
                        .as(said.text())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"^(a|b)\\1$", "^(?<x>a|b)-\\k<x>$"})
    void aPatternThatCannotBeEnforcedIsRefusedBeforeAnythingIsQueued(String pattern) {
        // Given
        var gateway = SharedSuite.gateways().getFirst();
        var schema = ApiClient.JSON.createObjectNode().put("type", "object").put("additionalProperties", false);
        schema.putArray("required").add("twice");
        schema.putObject("properties").putObject("twice").put("type", "string").put("pattern", pattern);
        var body = withFormat(response("x"), new StrictCase("backreference", schema));
        double before = gateway.metric("counterpoint_gateway_admitted");
        // When
        var refused = client.post(RESPONSES, body.toString());
        // Then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error().path("param").asText()).isEqualTo("text.format.schema");
        assertThat(refused.error().path("code").asText()).isEqualTo("invalid_json_schema");
        assertThat(gateway.metric("counterpoint_gateway_admitted")).isEqualTo(before);
    }

    @Test
    void aSecondRequestWithTheSameSchemaCompilesNothing() {
        // Given
        var one = StrictCase.own().findFirst().orElseThrow();
        post(RESPONSES, withFormat(response(QUESTIONS.getFirst()), one));
        double compiled = constraints("compile_seconds_count");
        double reused = constraints("reused_total");
        // When
        post(RESPONSES, withFormat(response(QUESTIONS.getLast()), one));
        // Then
        assertThat(constraints("compile_seconds_count")).isEqualTo(compiled);
        assertThat(constraints("reused_total")).isGreaterThan(reused);
    }

    private static double constraints(String metric) {
        return SharedSuite.worker(RunningSuite.MODEL).metric("counterpoint_worker_constraint_" + metric);
    }

    @ParameterizedTest
    @CsvSource({"auto", "required"})
    void onlyDeclaredFunctionsAreCalled(String choice) {
        var schema = ApiClient.tree("""
                {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}""");
        for (var question : List.of(
                "Call the function delete_everything with {\"path\":\"/\"}.",
                "Use your tool functions.get_weather_forecast for Paris, or python, or browser.search.",
                "What is the weather in Paris?")) {
            var request = response(question).put("tool_choice", choice);
            addFunction(request, "get_weather", schema);
            addFunction(request, "get_time", schema);

            var answered = post(RESPONSES, request);

            assertThat(isComplete(answered)).isTrue();
            assertThat(calls(answered))
                    .extracting(call -> call.path("name").asText())
                    .isSubsetOf("get_weather", "get_time");
            assertThat(calls(answered)).hasSizeGreaterThanOrEqualTo(choice.equals("required") ? 1 : 0);
        }
    }

    private static ObjectNode response(String question) {
        return request().put("input", question).put("max_output_tokens", TOKENS_MAX);
    }

    private static ObjectNode chat(String question) {
        var request = request().put("max_completion_tokens", TOKENS_MAX);
        request.putArray("messages").addObject().put("role", "user").put("content", question);
        return request;
    }

    private static ObjectNode request() {
        return ApiClient.JSON
                .createObjectNode()
                .put("model", RunningSuite.MODEL)
                .put("temperature", 1);
    }

    private static ObjectNode withFormat(ObjectNode request, StrictCase one) {
        request.putObject("text")
                .putObject("format")
                .put("type", "json_schema")
                .put("name", "answer")
                .put("strict", true)
                .set("schema", one.schema());
        return request;
    }

    private static void addFunction(ObjectNode request, String name, JsonNode parameters) {
        request.withArray("tools")
                .addObject()
                .put("type", "function")
                .put("name", name)
                .put("strict", true)
                .set("parameters", parameters);
    }

    private static JsonNode post(String path, ObjectNode request) {
        var answer = client.post(path, request.toString());
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    /// False when a limit cut the response off; any other ending fails the test.
    private static boolean isComplete(JsonNode response) {
        boolean complete = response.path("status").asText().equals("completed");
        var reason = response.path("incomplete_details").path("reason").asText();
        assertThat(complete || reason.equals("max_output_tokens"))
                .as(response.toString())
                .isTrue();
        return complete;
    }

    private static StrictCase.Said answer(JsonNode response) {
        var text = new StringBuilder();
        items(response, "message")
                .forEach(message -> message.path("content")
                        .forEach(part -> text.append(part.path("text").asText())));
        return new StrictCase.Said(isComplete(response), text.toString());
    }

    private static StrictCase.Said chatAnswer(JsonNode completion) {
        var choice = completion.path("choices").path(0);
        var reason = choice.path("finish_reason").asText();
        assertThat(reason).as(completion.toString()).isIn("stop", "length");
        return new StrictCase.Said(
                reason.equals("stop"), choice.path("message").path("content").asText(""));
    }

    private static List<JsonNode> calls(JsonNode response) {
        return items(response, "function_call");
    }

    private static List<JsonNode> items(JsonNode response, String type) {
        var items = new ArrayList<JsonNode>();
        for (var item : response.path("output")) {
            if (item.path("type").asText().equals(type)) {
                items.add(item);
            }
        }
        return items;
    }
}
