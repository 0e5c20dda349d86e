package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.canary.OptedInTenant;
import dev.counterpoint.local.spans.ExportedSpan;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// One trace tells of one request from HTTP through Kafka to the engine and back, and of nothing that was said.
@ExtendWith(WholeSuite.class)
class TracesIT {
    private static final String PROMPT = "What is the seventeenth wonder of Wolkenkuckucksheim?";
    private static final String CALLERS_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Set<String> ATTRIBUTES = Set.of(
            "error.type",
            "http.request.method",
            "http.route",
            "http.response.status_code",
            "messaging.system",
            "messaging.operation.type",
            "messaging.destination.name",
            "gen_ai.operation.name",
            "gen_ai.provider.name",
            "gen_ai.request.model",
            "gen_ai.response.id",
            "gen_ai.response.finish_reasons",
            "gen_ai.usage.input_tokens",
            "gen_ai.usage.output_tokens",
            "gen_ai.usage.cache_read.input_tokens",
            "counterpoint.usage.reasoning_tokens",
            "counterpoint.request.id",
            "counterpoint.tenant",
            "counterpoint.attempt",
            "counterpoint.outcome");

    private static LaunchedSuite suite;
    /// As the bus and the logs have it: without the API's prefix.
    private static String responseId;
    /// Of the one request, by name.
    private static Map<String, ExportedSpan> spans;

    @BeforeAll
    static void askOnceWithAllThatCanBeAskedFor() throws InterruptedException {
        suite = WholeSuite.suite();
        var key = OptedInTenant.create(suite).key("\"reasoning:summary\",\"reasoning:raw\"");
        var caller = new ApiClient(suite.gateway(), key.secret());
        var request = caller.request("/v1/responses")
                .header("content-type", "application/json")
                .header("traceparent", "00-" + CALLERS_TRACE + "-00f067aa0ba902b7-01")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"model":"%s","input":"%s","reasoning":{"summary":"auto"},"reasoning_encrypt":true}""".formatted(RunningSuite.MODEL, PROMPT)))
                .build();
        var answer = caller.send(request);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        responseId = bare(answer.body().path("id").asText());
        Eventually.until(TracesIT::names, names -> names.containsAll(expected().keySet()));
        spans = ofTheRequest().stream()
                .collect(Collectors.toMap(ExportedSpan::name, Function.identity(), (one, _) -> one));
    }

    private static String bare(String id) {
        return id.substring(id.indexOf('_') + 1);
    }

    private static ExportedSpan span(String name) {
        return Objects.requireNonNull(spans.get(name), name);
    }

    /// Each span with its service and its parent.
    private static Map<String, List<String>> expected() {
        var queue = "send jobs." + RunningSuite.MODEL;
        return Map.ofEntries(
                Map.entry("POST /v1/responses", List.of("gateway-service", "")),
                Map.entry("send frames", List.of("gateway-service", "POST /v1/responses")),
                Map.entry("admission wait", List.of("gateway-service", "POST /v1/responses")),
                Map.entry(queue, List.of("gateway-service", "POST /v1/responses")),
                Map.entry("process jobs", List.of("inference-worker", queue)),
                Map.entry("queue wait", List.of("inference-worker", "process jobs")),
                Map.entry("take job", List.of("inference-worker", "process jobs")),
                Map.entry("chat", List.of("inference-worker", "process jobs")),
                Map.entry("prefill", List.of("inference-worker", "chat")),
                Map.entry("send audit", List.of("inference-worker", "process jobs")),
                Map.entry("store audit record", List.of("audit-service", "send audit")),
                Map.entry("summarise", List.of("summarizer-service", "send frames")),
                Map.entry("deliver", List.of("gateway-service", "POST /v1/responses")));
    }

    private static Set<String> names() {
        return ofTheRequest().stream().map(ExportedSpan::name).collect(Collectors.toSet());
    }

    private static List<ExportedSpan> ofTheRequest() {
        // The gateway's own append of frame 0 comes before the worker's of the end, which has the same name.
        return ofResponse(responseId);
    }

    @Test
    void oneTraceGoesFromHttpToTheEngineAndBack() {
        expected().forEach((name, place) -> {
            var span = span(name);
            assertThat(span.service()).as(name).isEqualTo(place.getFirst());
            var parent = place.getLast().isEmpty() ? "" : span(place.getLast()).id();
            assertThat(span.parent()).as("parent of " + name).isEqualTo(parent);
        });
    }

    @Test
    void spansLieWithinTheTimeOfTheRequestAndInOrder() {
        var http = span("POST /v1/responses");
        var chat = span("chat");
        assertThat(ofTheRequest())
                .allSatisfy(span -> assertThat(span.endNanos()).isGreaterThanOrEqualTo(span.startNanos()));
        assertThat(chat.startNanos()).isBetween(http.startNanos(), http.endNanos());
        assertThat(chat.endNanos()).isBetween(http.startNanos(), http.endNanos());
        assertThat(span("take job").startNanos()).isLessThan(chat.startNanos());
        assertThat(span("prefill").endNanos()).isBetween(chat.startNanos(), chat.endNanos());
        assertThat(span("deliver").endNanos()).isBetween(chat.endNanos() - 1, http.endNanos());
    }

    @Test
    void theGenerationIsToldInOpenTelemetrysWords() {
        var chat = span("chat");
        assertThat(chat.attributes())
                .containsEntry("gen_ai.operation.name", "chat")
                .containsEntry("gen_ai.provider.name", "simulated")
                .containsEntry("gen_ai.request.model", RunningSuite.MODEL)
                .containsEntry("gen_ai.response.id", responseId)
                .containsEntry("gen_ai.response.finish_reasons", "stop");
        assertThat(Integer.parseInt(chat.attribute("gen_ai.usage.input_tokens")))
                .isPositive();
        assertThat(Integer.parseInt(chat.attribute("gen_ai.usage.output_tokens")))
                .isGreaterThan(Integer.parseInt(chat.attribute("counterpoint.usage.reasoning_tokens")));
        assertThat(span("POST /v1/responses").attributes())
                .containsEntry("http.route", "/v1/responses")
                .containsEntry("http.response.status_code", "200")
                .containsEntry("gen_ai.response.id", responseId);
    }

    @Test
    void spansTellNothingButTheFixedAttributesAndNoWordOfThePrompt() {
        assertThat(WholeSuite.spans().spans()).hasSizeGreaterThan(10).allSatisfy(span -> {
            assertThat(ATTRIBUTES).containsAll(span.attributes().keySet());
            assertThat(span.name() + span.attributes())
                    .doesNotContain("seventeenth")
                    .doesNotContain("Wolkenkuckucksheim");
        });
    }

    @Test
    void aCallerChoosesNoTrace() {
        assertThat(span("POST /v1/responses").trace()).isNotEqualTo(CALLERS_TRACE);
    }

    @Test
    void anotherWorkerThatGoesOnIsInTheSameTrace() throws InterruptedException {
        // Given: an answer of which the first worker has said something
        var caller = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        var id = caller.post(
                        "/v1/responses",
                        "{\"model\":\"%s\",\"input\":\"Count from 1 to 150.\",\"background\":true,\"store\":true}"
                                .formatted(RunningSuite.MODEL))
                .body()
                .path("id")
                .asText();
        var begun = Eventually.until(
                () -> ofResponse(bare(id)), spans -> named("prefill", spans).size() == 1);
        // When
        suite.kill("worker-1");
        Eventually.until(
                () -> caller.get("/v1/responses/" + id).body().path("status").asText(), "completed"::equals);
        // Then
        var told = Set.of("POST /v1/responses", "process jobs", "chat");
        var spans = Eventually.until(
                () -> ofResponse(bare(id)),
                now -> told.stream().allMatch(name -> named(name, now).size() == 1));
        var http = named("POST /v1/responses", spans).getFirst();
        var sent = named("send jobs." + RunningSuite.MODEL, spans);
        var resumed = named("process jobs", spans).getFirst();
        var chat = named("chat", spans).getFirst();
        assertThat(sent)
                .extracting(span -> span.attribute("counterpoint.attempt"))
                .containsExactly("1", "2");
        assertThat(sent).extracting(ExportedSpan::parent).containsOnly(http.id());
        assertThat(resumed.parent()).isEqualTo(sent.getLast().id());
        assertThat(chat.parent()).isEqualTo(resumed.id());
        assertThat(chat.attribute("gen_ai.response.finish_reasons")).isEqualTo("stop");
        assertThat(chat.instance())
                .isNotEqualTo(named("prefill", begun).getFirst().instance());
    }

    /// The spans of the trace of a response, by their time.
    private static List<ExportedSpan> ofResponse(String id) {
        var all = WholeSuite.spans().spans();
        var traces = all.stream()
                .filter(span -> span.attribute("gen_ai.response.id").equals(id))
                .map(ExportedSpan::trace)
                .collect(Collectors.toSet());
        return all.stream()
                .filter(span -> traces.contains(span.trace()))
                .sorted(Comparator.comparingLong(ExportedSpan::startNanos))
                .toList();
    }

    private static List<ExportedSpan> named(String name, List<ExportedSpan> spans) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    @Test
    void logsInJsonNameTheTrace() throws IOException {
        var trace = span("POST /v1/responses").trace();
        // Nothing is logged of an answer that goes well.
        var caller = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        assertThat(trace).hasSize(32);
        var answer = caller.post(
                "/v1/responses",
                "{\"model\":\"%s\",\"input\":\"Hi\",\"background\":true,\"store\":true}".formatted(RunningSuite.MODEL));
        var id = answer.body().path("id").asText();
        caller.post("/v1/responses/" + id + "/cancel", "");
        var line = Files.readAllLines(suite.logs().resolve("gateway-1.log")).stream()
                .filter(one -> one.contains("ended responseId=" + bare(id) + " reason=CANCELLED"))
                .map(ApiClient::tree)
                .findFirst()
                .orElseThrow();
        assertThat(line.at("/mdc/traceId").asText()).hasSize(32);
        assertThat(line.at("/mdc/requestId").asText()).startsWith("req_");
    }
}
