package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.openai.sse.SseEvent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A model that is not Harmony, through every process of the path: its reasoning is told from its answer
/// and treated as any other model's.
@Timeout(300)
@ExtendWith(ForeignSuite.class)
class ChatEngineIT {
    private static final String TOOLS = """
            ,"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}]""";

    private static LaunchedSuite suite;
    private static ApiClient plain;
    private static ApiClient raw;

    @BeforeAll
    static void connect() {
        ForeignSuite.worker(
                Map.of("worker.chat.takes-images", "true", "worker.chat.reasoning", "envelope,markers,think,post-hoc"));
        suite = ForeignSuite.suite();
        plain = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        raw = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_RAW_API_KEY"));
    }

    @Test
    void fullReasoningIsTheModelsOwn() {
        var events = raw.stream("/v1/chat/completions", chat("2+2?", ",\"reasoning\":\"full\",\"stream\":true"));

        assertThat(Streams.chatText(events, "reasoning")).isEqualTo(ChatServer.REASONS);
        assertThat(Streams.chatText(events, "content")).isEqualTo("4");
        assertThat(text(events)).doesNotContain("reasoning_unavailable");
    }

    @Test
    void whoMayNotSeeItGetsTheAnswerAndASafeSummary() {
        var events = plain.stream("/v1/chat/completions", chat("2+2?", ",\"reasoning\":\"summary\",\"stream\":true"));

        assertThat(Streams.chatText(events, "content")).isEqualTo("4");
        assertThat(Streams.chatText(events, "reasoning")).isEmpty();
        assertThat(Streams.chatText(events, "reasoning_summary")).isNotBlank();
        assertThat(text(events))
                .contains("\"reasoning_summary_tier\":\"described\"")
                .doesNotContain("reasoning_unavailable", ChatServer.CANARY);
    }

    @Test
    void whoAsksForNoReasoningHasTheModelAskedForNone() {
        var answer = plain.post("/v1/chat/completions", chat("Think", ",\"reasoning\":\"none\""));

        assertThat(message(answer).path("content").asText()).isEqualTo("4");
        assertThat(answer.body().toString()).doesNotContain(ChatServer.CANARY, "reasoning_unavailable");
        assertThat(ForeignSuite.server().request().path("messages")).hasSize(1);
    }

    @Test
    void reasonsThatCameAfterTheAnswerAreNoRawReasoning() {
        var answer = raw.post("/v1/chat/completions", chat("Just answer", ",\"reasoning\":\"full\""));

        assertThat(message(answer).path("content").asText()).isEqualTo("4");
        assertThat(message(answer).path("reasoning").asText()).isEqualTo(ChatServer.REASONS);
        assertThat(message(answer).path("reasoning_unavailable").asBoolean()).isTrue();
        assertThat(message(answer).path("warnings").path(0).asText()).contains("after its answer");
    }

    @Test
    void aResponseIsTheSameInEveryForm() {
        var body = "{\"model\":\"%s\",\"input\":\"2+2?\",\"reasoning\":\"full\",\"stream\":true}"
                .formatted(ForeignSuite.MODEL);

        var events = raw.stream("/v1/responses", body);

        var completed = ApiClient.tree(events.get(events.size() - 2).data()).path("response");
        assertThat(Streams.text(events, "response.reasoning_text.delta")).isEqualTo(ChatServer.REASONS);
        assertThat(Streams.text(events, "response.output_text.delta")).isEqualTo("4");
        assertThat(completed.at("/usage/output_tokens_details/reasoning_tokens").asInt())
                .isPositive();
        var id = completed.path("id").asText();
        var stored = plain.get("/v1/responses/" + id).body();
        assertThat(stored.at("/output/1/content/0/text").asText()).isEqualTo("4");
        assertThat(stored.toString()).doesNotContain(ChatServer.CANARY);
    }

    @Test
    void aCallGoesToTheClientAndItsResultBackToTheModel() {
        var first = plain.post("/v1/chat/completions", chat("Weather?", TOOLS));
        var call = message(first).path("tool_calls").path(0);
        var second = plain.post("/v1/chat/completions", """
                {"model":"%s","messages":[{"role":"user","content":"Weather?"},
                {"role":"assistant","content":null,"tool_calls":[%s]},
                {"role":"tool","tool_call_id":"%s","content":"sunny"}]}""".formatted(
                        ForeignSuite.MODEL, call, call.path("id").asText()));

        assertThat(call.path("function").path("name").asText()).isEqualTo("weather");
        assertThat(call.path("function").path("arguments").asText()).isEqualTo("{\"city\":\"Bonn\"}");
        assertThat(first.body().at("/choices/0/finish_reason").asText()).isEqualTo("tool_calls");
        assertThat(message(second).path("content").asText()).isEqualTo("It is sunny.");
    }

    @Test
    void imagesGoToTheServerAsTheyAreAlsoWhenTheConversationGoesOn() {
        var url = "data:image/png;base64,iVBORw0KGgo=";
        var parts = "[{\"type\":\"%s\",\"text\":\"What?\"},{\"type\":\"%s\",\"image_url\":%s}]";
        var chat = plain.post(
                "/v1/chat/completions",
                "{\"model\":\"" + ForeignSuite.MODEL + "\",\"messages\":[{\"role\":\"user\",\"content\":"
                        + parts.formatted("text", "image_url", "{\"url\":\"" + url + "\"}") + "}]}");
        assertThat(message(chat).path("content").asText()).isEqualTo("4");
        assertThat(ForeignSuite.server()
                        .request()
                        .at("/messages/0/content/1/image_url/url")
                        .asText())
                .isEqualTo(url);

        var first = plain.post(
                "/v1/responses",
                "{\"model\":\"" + ForeignSuite.MODEL + "\",\"input\":[{\"role\":\"user\",\"content\":"
                        + parts.formatted("input_text", "input_image", "\"" + url + "\"") + "}]}");
        assertThat(first.status()).as(first.body().toString()).isEqualTo(200);
        var next = plain.post(
                "/v1/responses",
                "{\"model\":\"%s\",\"input\":\"And now?\",\"previous_response_id\":\"%s\"}"
                        .formatted(ForeignSuite.MODEL, first.body().path("id").asText()));
        assertThat(next.status()).as(next.body().toString()).isEqualTo(200);
        assertThat(ForeignSuite.server()
                        .request()
                        .at("/messages/0/content/1/image_url/url")
                        .asText())
                .isEqualTo(url);
        assertThat(ForeignSuite.server().request().at("/messages/2/content").asText())
                .isEqualTo("And now?");
    }

    @Test
    void whatTheModelCannotBeToldIsRefusedByName() {
        var bias = plain.post("/v1/chat/completions", chat("2+2?", ",\"logit_bias\":{\"17\":1}"));
        var logprobs = plain.post("/v1/chat/completions", chat("2+2?", ",\"logprobs\":true"));
        var bound = plain.post("/v1/chat/completions", chat("2+2?", ",\"reasoning\":{\"max_tokens\":5}"));

        assertThat(List.of(bias, logprobs, bound))
                .extracting(ApiClient.Answer::status)
                .containsOnly(400);
        assertThat(bias.error().path("param").asText()).isEqualTo("logit_bias");
        assertThat(logprobs.error().path("param").asText()).isEqualTo("logprobs");
        assertThat(bound.error().path("param").asText()).isEqualTo("reasoning.max_tokens");
    }

    @Test
    void anAnswerWhoseWorkerDiesFailsOnceAndIsNotToldTwice() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            // Given
            var body = "{\"model\":\"%s\",\"input\":\"Hang\",\"reasoning\":\"none\",\"stream\":true}"
                    .formatted(ForeignSuite.MODEL);
            var answer = callers.submit(() -> plain.stream("/v1/responses", body));
            ForeignSuite.server().hangs.await();
            // When
            suite.kill("worker-1");
            // Then
            assertThat(Streams.terminals(answer.get())).containsExactly("response.failed");
            assertThat("So far").startsWith(Streams.text(answer.get(), "response.output_text.delta"));
        }
        suite.awaitReady();
    }

    @Test
    void theListOfModelsSaysHowTheModelShowsReasoningAndWhy() {
        assertThat(suite.summary())
                .contains("  Model     " + ForeignSuite.MODEL + "   a server of Chat Completions, " + ForeignSuite.MODEL
                        + ", of no known family\n"
                        + "            unmarked text is the answer, as"
                        + " worker.chat.reasoning=envelope,markers,think,post-hoc says\n");
    }

    private static String chat(String question, String more) {
        return "{\"model\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]%s}"
                .formatted(ForeignSuite.MODEL, question, more);
    }

    private static JsonNode message(ApiClient.Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().at("/choices/0/message");
    }

    private static String text(List<SseEvent> events) {
        var text = new StringBuilder();
        events.forEach(event -> text.append(event.data()).append('\n'));
        return text.toString();
    }
}
