package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.local.e2e.RunningSuite.Service;
import dev.counterpoint.openai.sse.SseEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The only worker dies while it computes a batch of several answers: another one takes each up at its next token, and
/// says greedily what would have been said anyway.
@Tag("nightly")
class LlamaLossIT {
    private static final int STREAMS = 4;
    private static final int TOKENS = 600;
    private static final int DELTAS_BEFORE = 20;
    private static final long ANSWER_MAX_SECONDS = 90;
    private static final String DELTA = "response.output_text.delta";
    private static final Executor CALLERS = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private static Path folder;

    private static MadeUpModel model;
    private static RunningSuite suite;
    private static Service worker;
    private static ApiClient caller;
    /// What each caller is told when nobody dies and nobody else asks.
    private static List<String> expected;

    private enum Death {
        SIGKILL(ChildProcess::kill),
        NATIVE_ABORT(ChildProcess::abort);

        private final Consumer<ChildProcess> blow;

        Death(Consumer<ChildProcess> blow) {
            this.blow = blow;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        model = MadeUpModel.in(folder);
        suite = new RunningSuite(folder);
        worker = suite.startWorker(model.environment());
        suite.startGateway().ready();
        worker.ready();
        caller = suite.client(RunningSuite.SUMMARY_KEY);
        expected = IntStream.range(0, STREAMS)
                .mapToObj(number -> text(ask(number, _ -> {})))
                .toList();
        assertThat(expected).doesNotHaveDuplicates();
    }

    @AfterAll
    static void stop() {
        if (suite != null) {
            suite.close();
        }
    }

    private static List<Death> deaths() {
        return List.of(Death.values());
    }

    @ParameterizedTest
    @MethodSource("deaths")
    void everyAnswerEndsOnceAsIfNothingHadHappened(Death death) throws Exception {
        // Given
        var underWay = new CountDownLatch(STREAMS);
        var answers = new ArrayList<CompletableFuture<List<SseEvent>>>();
        for (int number = 0; number < STREAMS; number++) {
            int caller = number;
            answers.add(CompletableFuture.supplyAsync(() -> ask(caller, after(DELTAS_BEFORE, underWay)), CALLERS));
        }
        assertThat(underWay.await(ANSWER_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();

        // When
        death.blow.accept(worker.process());
        worker = suite.startWorker(model.environment()).ready();

        // Then
        for (int number = 0; number < STREAMS; number++) {
            assertWhole(answers.get(number).get(ANSWER_MAX_SECONDS, TimeUnit.SECONDS), expected.get(number));
        }
        assertThat(worker.metric("counterpoint_worker_tokens_total"))
                .as("tokens that the successor said")
                .isBetween(1.0, STREAMS * TOKENS - 1.0);
        assertWhole(ask(0, _ -> {}), expected.getFirst());
    }

    private static Consumer<SseEvent> after(int deltas, CountDownLatch latch) {
        var heard = new AtomicInteger();
        return event -> {
            if (DELTA.equals(event.event()) && heard.incrementAndGet() == deltas) {
                latch.countDown();
            }
        };
    }

    private static List<SseEvent> ask(int number, Consumer<SseEvent> listener) {
        var body = """
                {"model":"%s","input":"Question %d","stream":true,"temperature":0,"max_output_tokens":%d}""".formatted(MadeUpModel.NAME, number, TOKENS);
        return caller.stream("/v1/responses", body, listener);
    }

    private static String text(List<SseEvent> events) {
        return Streams.text(events, DELTA);
    }

    private static void assertWhole(List<SseEvent> events, String text) {
        assertThat(Streams.terminals(events)).containsExactly("response.incomplete");
        assertThat(text(events).equals(text)).as("the text is the expected one").isTrue();
        var bodies = Streams.bodies(events);
        assertThat(bodies.stream().map(event -> event.path("sequence_number").asInt()))
                .containsExactlyElementsOf(
                        IntStream.range(0, bodies.size()).boxed().toList());
        assertThat(usage(bodies).path("output_tokens").asInt()).isEqualTo(TOKENS);
    }

    private static JsonNode usage(List<JsonNode> events) {
        return events.getLast().path("response").path("usage");
    }
}
