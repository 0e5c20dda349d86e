package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.local.LaunchedSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A vLLM that is set up wrongly, in one way after the other: each time `/v1/models` and `up` say what is wrong, by
/// name. At last it is mended and serves, with a context that is small.
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MisconfiguredServersIT {
    private static final String MODEL = "gpt-oss-20b";
    private static final int CONTEXT = 2048;
    private static final int[] ANSWER = Stream.of(
                    new int[] {SpecialTokens.CHANNEL},
                    HarmonyTokenizer.shared().encode("final"),
                    new int[] {SpecialTokens.MESSAGE},
                    HarmonyTokenizer.shared().encode("It works."),
                    new int[] {SpecialTokens.RETURN})
            .flatMapToInt(Arrays::stream)
            .toArray();

    private enum Fault {
        WRONG_FLAG("keeps /inference/v1/generate closed (HTTP 403): start it with --enable-scale-out or --tokens-only"),
        WRONG_MODEL("serves meta-llama/Llama-3.1-8B and not gpt-oss-20b, the name in worker.remote.upstream-model"),
        NO_KEY("wants a key, and worker.remote.api-key is not set (HTTP 401)"),
        NOT_HARMONY("has a model that is not gpt-oss: Harmony's marks are no tokens of it"),
        NONE("its context is 2048 tokens");

        private final String said;

        Fault(String said) {
            this.said = said;
        }
    }

    private static final FakeHttpServer SERVER = new FakeHttpServer(MisconfiguredServersIT::answer);

    @TempDir
    private static Path folder;

    private static volatile Fault fault = Fault.WRONG_FLAG;
    private static LaunchedSuite suite;
    private static ApiClient caller;

    @BeforeAll
    static void start() {
        suite = LaunchedSuite.start(
                folder,
                "--engine",
                "vllm-tokens",
                "--engine-url",
                SERVER.address().toString(),
                "--model-name",
                MODEL);
        caller = new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
    }

    @AfterAll
    static void stop() {
        suite.close();
        SERVER.close();
    }

    /// As vLLM 0.32.0 answers.
    private static void answer(Exchange exchange) throws IOException {
        if (exchange.target().equals("GET /health")) {
            exchange.answer(200, "");
        } else if (fault == Fault.NO_KEY) {
            exchange.answer(401, "{\"error\":\"Unauthorized\"}");
        } else {
            switch (exchange.target()) {
                case "GET /version" -> exchange.answer(200, "{\"version\":\"0.32.0\"}");
                case "GET /v1/models" ->
                    exchange.answer(200, """
                        {"object":"list","data":[{"id":"%s","object":"model","owned_by":"vllm","max_model_len":%d}]}""".formatted(
                                    fault == Fault.WRONG_MODEL ? "meta-llama/Llama-3.1-8B" : MODEL, CONTEXT));
                case "POST /tokenize" ->
                    exchange.answer(
                            200,
                            "{\"count\":3,\"tokens\":" + (fault == Fault.NOT_HARMONY ? "[27,91,5094]" : marks()) + "}");
                case "POST /inference/v1/generate" -> generate(exchange);
                default -> exchange.answer(404, "{}");
            }
        }
    }

    private static String marks() {
        return Arrays.toString(new int[] {SpecialTokens.START, SpecialTokens.CHANNEL, SpecialTokens.MESSAGE});
    }

    private static void generate(Exchange exchange) throws IOException {
        if (fault == Fault.WRONG_FLAG) {
            exchange.answer(403, "{\"error\":\"scale-out endpoints are disabled\"}");
            return;
        }
        int most = ApiClient.JSON
                .readTree(exchange.body())
                .at("/sampling_params/max_tokens")
                .asInt();
        int[] said = Arrays.copyOf(ANSWER, Math.min(ANSWER.length, most));
        exchange.beginEvents();
        exchange.data("{\"choices\":[{\"index\":0,\"token_ids\":%s,\"finish_reason\":\"%s\"}]}"
                .formatted(Arrays.toString(said), said.length == ANSWER.length ? "stop" : "length"));
        exchange.data("[DONE]");
    }

    private static JsonNode model() {
        return caller.get("/v1/models/" + MODEL).body();
    }

    private static void awaitSaid(Fault now) throws InterruptedException {
        fault = now;
        Eventually.until(() -> model().path("description").asText(), text -> text.contains(now.said));
        assertThat(suite.summary()).contains(now.said);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @Order(1)
    void whatIsWrongIsSaidByName(Fault wrong) throws InterruptedException {
        awaitSaid(wrong);

        assertThat(model().path("description").asText()).contains("1 of 1 servers left out, because one " + wrong.said);
    }

    @Test
    @Order(2)
    void aSmallContextIsSaidAndALongPromptIsRefusedByName() throws InterruptedException {
        awaitSaid(Fault.NONE);

        assertThat(model().path("context_length").asInt()).isEqualTo(CONTEXT);
        assertThat(caller.post("/v1/responses", request("Hi")).body().toString())
                .contains("It works.");
        var words = String.join(
                " ", IntStream.range(0, CONTEXT).mapToObj(_ -> "word").toList());
        var refused = caller.post("/v1/responses", request(words));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error().path("code").asText()).isEqualTo("context_length_exceeded");
    }

    private static String request(String input) {
        return "{\"model\":\"%s\",\"input\":\"%s\"}".formatted(MODEL, input);
    }
}
