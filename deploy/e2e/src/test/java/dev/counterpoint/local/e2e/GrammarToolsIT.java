package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.testkit.CodexTools;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Custom tools with a grammar, through every process of the path: the input of a call fits the grammar, or a limit cut
/// it off and the response says so. Whatever the question asks, the tool must be called.
@ExtendWith(SharedSuite.class)
class GrammarToolsIT {
    private static final String RESPONSES = "/v1/responses";
    private static final String CHAT = "/v1/chat/completions";
    private static final int TOKENS_MAX = 500;
    private static final int SEEDS = 4;
    private static final String PATCH_FORM = "\\*{3} Begin Patch\n"
            + "(?:\\*{3} Add File: [^\n]+\n(?:[+][^\n]*\n)+|\\*{3} Delete File: [^\n]+\n"
            + "|\\*{3} Update File: [^\n]+\n(?:\\*{3} Move to: [^\n]+\n)?"
            + "(?:(?:@@(?: [^\n]+)?\n|[+ -][^\n]*\n)+(?:\\*{3} End of File\n)?)?)+\\*{3} End Patch\n?";
    private static final String QUERY = """
            start: "SELECT " NAME (", " NAME)~0..3 " FROM orders" where? ";"
            where: " WHERE " NAME (" = " | " > ") (INT | "'" /[^'\\n]{0,20}/ "'")
            NAME: /[a-z]{1,12}/
            %import common.INT
            """;
    private static final String QUERY_FORM = "SELECT [a-z]{1,12}(?:, [a-z]{1,12}){0,3} FROM orders"
            + "(?: WHERE [a-z]{1,12} [=>] (?:[0-9]+|'[^'\n]{0,20}'))?;";

    private static final List<String> QUESTIONS = List.of(
            "Which orders from Paris are larger than 100?",
            "In the file src/a.txt, replace the line \"one\" by \"two\".",
            "say: {\"input\": \"no\"} <|end|> \\u00e9 \ud83d\ude00 and nothing else.");

    private static ApiClient client;

    /// @param form what fits, by hand
    record Tool(String name, String syntax, String definition, Pattern form) {
        ObjectNode format() {
            return ApiClient.JSON.createObjectNode().put("syntax", syntax).put("definition", definition);
        }

        void check(String input, boolean whole) {
            var matcher = form.matcher(input);
            assertThat(matcher.matches() || !whole && matcher.hitEnd())
                    .as(input)
                    .isTrue();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Tool> tools() {
        return Scale.slice(Stream.of(
                new Tool("apply_patch", "lark", CodexTools.APPLY_PATCH, Pattern.compile(PATCH_FORM)),
                new Tool("query", "lark", QUERY, Pattern.compile(QUERY_FORM)),
                new Tool("dial", "regex", "\\+?[0-9]{2,4}(-[0-9]{3})*", Pattern.compile("\\+?[0-9]{2,4}(-[0-9]{3})*")),
                new Tool("flag", "regex", "(yes|no): [^\\n]{1,40}", Pattern.compile("(yes|no): [^\n]{1,40}"))));
    }

    @BeforeAll
    static void connect() {
        client = SharedSuite.suite().client(RunningSuite.SUMMARY_KEY);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tools")
    void theInputOfACallFitsTheGrammarAndIsStreamedAsItIs(Tool tool) {
        for (var question : QUESTIONS) {
            // When
            var request = response(question, tool).put("stream", true);
            request.putObject("tool_choice").put("type", "custom").put("name", tool.name);
            var events = client.stream(RESPONSES, request.toString());
            // Then
            var response = Streams.bodies(events).getLast().path("response");
            var call = calls(response);
            assertThat(Streams.text(events, "response.custom_tool_call_input.delta"))
                    .isEqualTo(Streams.bodies(events).stream()
                            .filter(event -> event.path("type").asText().equals("response.custom_tool_call_input.done"))
                            .findFirst()
                            .map(done -> done.path("input").asText())
                            .orElse(""))
                    .isEqualTo(
                            call.isEmpty() ? "" : call.getFirst().path("input").asText());
            check(tool, response);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tools")
    void theInputOfACallInAChatFitsTheGrammar(Tool tool) {
        int whole = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var request = request()
                    .put("max_completion_tokens", TOKENS_MAX)
                    .put("seed", seed)
                    .put("tool_choice", "required");
            request.putArray("messages").addObject().put("role", "user").put("content", QUESTIONS.get(seed % 3));
            var custom =
                    request.putArray("tools").addObject().put("type", "custom").putObject("custom");
            custom.put("name", tool.name)
                    .putObject("format")
                    .put("type", "grammar")
                    .set("grammar", tool.format());

            var choice = post(CHAT, request).path("choices").path(0);

            boolean ended = choice.path("finish_reason").asText().equals("tool_calls");
            assertThat(choice.path("finish_reason").asText()).isIn("tool_calls", "length");
            whole += ended ? 1 : 0;
            var calls = choice.path("message").path("tool_calls");
            assertThat(calls.size()).isEqualTo(ended ? 1 : calls.size());
            calls.forEach(call -> tool.check(call.path("custom").path("input").asText(), ended));
        }
        assertThat(whole).isPositive();
    }

    @Test
    void aPatchThatIsAskedForIsWrittenAndItsResultIsToldOf() {
        // Given
        var tool = tools().findFirst().orElseThrow();
        var patch = "*** Begin Patch\n*** Update File: src/a.txt\n@@\n-one\n+two\n*** End Patch";
        var asked = post(RESPONSES, response("Replace the line.\ncall: apply_patch " + patch, tool));
        var call = calls(asked).getFirst();
        assertThat(call.path("input").asText().strip()).isEqualTo(patch);
        // When
        var next = request().put("previous_response_id", asked.path("id").asText());
        next.set("tools", response("x", tool).path("tools"));
        next.putArray("input")
                .addObject()
                .put("type", "custom_tool_call_output")
                .put("call_id", call.path("call_id").asText())
                .put("output", "Success. Updated src/a.txt");
        var told = post(RESPONSES, next);
        // Then
        assertThat(told.path("output").toString()).contains("Success. Updated src/a.txt");
        assertThat(calls(told)).isEmpty();
    }

    private static void check(Tool tool, JsonNode response) {
        boolean whole = response.path("status").asText().equals("completed");
        assertThat(whole
                        || response.path("incomplete_details")
                                .path("reason")
                                .asText()
                                .equals("max_output_tokens"))
                .as(response.toString())
                .isTrue();
        var calls = calls(response);
        assertThat(calls.size()).isEqualTo(whole ? 1 : calls.size());
        IntStream.range(0, calls.size())
                .forEach(i -> tool.check(calls.get(i).path("input").asText(), whole || i + 1 < calls.size()));
    }

    private static ObjectNode response(String question, Tool tool) {
        var request = request().put("input", question).put("max_output_tokens", TOKENS_MAX);
        var custom = request.putArray("tools").addObject().put("type", "custom").put("name", tool.name);
        custom.set("format", tool.format().put("type", "grammar"));
        return request;
    }

    private static ObjectNode request() {
        return ApiClient.JSON
                .createObjectNode()
                .put("model", RunningSuite.MODEL)
                .put("temperature", 1)
                .put("parallel_tool_calls", false);
    }

    private static JsonNode post(String path, ObjectNode request) {
        var answer = client.post(path, request.toString());
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    private static List<JsonNode> calls(JsonNode response) {
        var items = new ArrayList<JsonNode>();
        for (var item : response.path("output")) {
            if (item.path("type").asText().equals("custom_tool_call")) {
                items.add(item);
            }
        }
        return items;
    }
}
