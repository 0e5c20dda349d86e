package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.llama.DemonstrationModel;
import dev.counterpoint.openai.sse.SseEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A real model that is not gpt-oss, SmolLM2, through the whole suite: `-Pgguf`.
@EnabledIfSystemProperty(named = "gguf", matches = "required", disabledReason = "-Pgguf asks for it")
class RealModelIT {
    private static final int STREAMS = 8;
    private static final long ANSWER_MAX_SECONDS = 240;
    private static final String QUESTION = "Why is the sky blue?";
    private static final String RESPONSES = "/v1/responses";
    private static final String TEXT = "response.output_text.delta";
    private static final String RAW = "response.reasoning_text.delta";
    private static final Executor CALLERS = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private static Path folder;

    private static RunningSuite suite;
    private static RunningSuite.Service worker;
    private static Map<String, String> model;

    @BeforeAll
    static void start() throws IOException {
        var file = DemonstrationModel.ofEnvironment().find(_ -> {});
        model = Map.of(
                "WORKER_ENGINE", "llama",
                "WORKER_MODEL_NAME", DemonstrationModel.NAME,
                "WORKER_MODEL_PATH", file.toString(),
                "WORKER_LLAMA_CONTEXT_LENGTH", "2048",
                "WORKER_LLAMA_CONTEXT_TOKENS", "16384");
        suite = new RunningSuite(folder);
        worker = suite.startWorker(model);
        var summarizer = suite.startSummarizer();
        suite.startGateway().ready();
        summarizer.ready();
        worker.ready();
    }

    @AfterAll
    static void stop() {
        if (suite != null) {
            suite.close();
        }
    }

    @Test
    void onlyWhoMayReadReasoningGetsIt() throws IOException {
        // Given
        var asked = ",\"temperature\":0,\"reasoning\":{\"summary\":\"auto\"}";
        // When
        var raw = stream(RunningSuite.RAW_KEY, RESPONSES, asked);
        var safe = stream(RunningSuite.SUMMARY_KEY, RESPONSES, asked);
        var none = stream(RunningSuite.SUMMARY_KEY, RESPONSES, ",\"temperature\":0");
        // Then
        var thoughts = Streams.text(raw, RAW);
        assertThat(thoughts).isNotBlank();
        assertThat(Streams.text(raw, TEXT)).isNotBlank().doesNotContain("\"answer\"");
        assertThat(Streams.text(safe, TEXT)).isNotBlank().doesNotContain("\"reasoning\"");
        assertThat(Streams.types(safe))
                .contains("response.reasoning_summary_text.delta")
                .doesNotContain(RAW);
        for (var events : List.of(safe, none)) {
            // The answer of so small a model may repeat its reasoning, word for word.
            assertThat(events.toString().replace(Streams.text(events, TEXT), ""))
                    .doesNotContain(thoughts);
            assertThat(Streams.terminals(events)).containsExactly("response.completed");
        }
        assertThat(Streams.types(none)).doesNotContain("response.reasoning_summary_text.delta", RAW);
        try (var logs = Files.list(folder)) {
            for (var log : logs.filter(each -> each.toString().endsWith(".log")).toList()) {
                assertThat(Files.readString(log)).doesNotContain(thoughts);
            }
        }
    }

    @Test
    void aForcedCallFitsAndItsResultIsUnderstood() {
        // Given
        var client = suite.client(RunningSuite.SUMMARY_KEY);
        var tool = """
                {"type":"function","name":"get_weather","description":"The weather of a city","strict":true,
                 "parameters":{"type":"object","properties":{"city":{"type":"string","maxLength":40}},
                 "required":["city"],"additionalProperties":false}}""";
        // When
        var called = client.post(RESPONSES, """
                {"model":"%s","input":"What is the weather in Paris?","tools":[%s],"tool_choice":"required"}""".formatted(DemonstrationModel.NAME, tool))
                .body();
        var call = output(called, "function_call");
        var answered = client.post(RESPONSES, """
                {"model":"%s","previous_response_id":"%s","tools":[%s],"tool_choice":"none",
                 "input":[{"type":"function_call_output","call_id":"%s","output":"sunny, 21 C"}]}""".formatted(
                                DemonstrationModel.NAME,
                                called.path("id").asText(),
                                tool,
                                call.path("call_id").asText()))
                .body();
        // Then
        assertThat(ApiClient.tree(call.path("arguments").asText()).path("city").asText())
                .isNotBlank();
        assertThat(output(answered, "message")
                        .path("content")
                        .path(0)
                        .path("text")
                        .asText())
                .isNotBlank();
    }

    @Test
    void eightAnswersOutliveTheirWorker() throws Exception {
        // Given
        var underWay = new CountDownLatch(STREAMS);
        var answers = new ArrayList<CompletableFuture<List<SseEvent>>>();
        var body = body(",\"reasoning\":{\"summary\":\"auto\"},\"max_output_tokens\":200");
        for (int number = 0; number < STREAMS; number++) {
            var heard = new ArrayList<SseEvent>();
            answers.add(CompletableFuture.supplyAsync(
                    () -> suite.client(RunningSuite.RAW_KEY).stream(RESPONSES, body, event -> {
                        heard.add(event);
                        if (heard.size() == 12) {
                            underWay.countDown();
                        }
                    }),
                    CALLERS));
        }
        assertThat(underWay.await(ANSWER_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        // When
        worker.process().kill();
        worker = suite.startWorker(model).ready();
        // Then
        for (var answer : answers) {
            var events = answer.get(ANSWER_MAX_SECONDS, TimeUnit.SECONDS);
            var bodies = Streams.bodies(events);
            assertThat(Streams.terminals(events))
                    .as("%s", bodies.getLast().at("/response/error"))
                    .hasSize(1)
                    .doesNotContain("response.failed", "error");
            assertThat(bodies.stream()
                            .map(event -> event.path("sequence_number").asInt()))
                    .containsExactlyElementsOf(
                            IntStream.range(0, bodies.size()).boxed().toList());
            assertThat(Streams.text(events, RAW)).isNotBlank();
            assertThat(Streams.text(events, TEXT)).doesNotContain("\uFFFD", "{\"reasoning\"");
        }
    }

    private static List<SseEvent> stream(String key, String path, String more) {
        return suite.client(key).stream(path, body(more));
    }

    private static String body(String more) {
        return "{\"model\":\"%s\",\"input\":\"%s\",\"stream\":true%s}"
                .formatted(DemonstrationModel.NAME, QUESTION, more);
    }

    private static JsonNode output(JsonNode response, String type) {
        for (var item : response.path("output")) {
            if (item.path("type").asText().equals(type)) {
                return item;
            }
        }
        throw new AssertionError("no " + type + " in " + response);
    }
}
