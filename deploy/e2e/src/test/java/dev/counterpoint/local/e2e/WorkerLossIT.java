package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.e2e.RunningSuite.Service;
import dev.counterpoint.openai.sse.SseEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker is killed, frozen or told to end, or its engine hangs, in mid-answer while a second one runs:
/// callers notice a pause and nothing else. `-Dkills=20` for as many kills, `-Dseed=…` for the same moments again.
@Tag("nightly")
class WorkerLossIT {
    private static final int KILLS = Integer.getInteger("kills", 5);
    private static final int STOPS = Integer.getInteger("stops", 3);
    private static final int DRAINS = Integer.getInteger("drains", 3);
    private static final int STREAMS = 8;
    private static final int REQUESTS_MEANWHILE = 50;
    private static final Duration PER_TOKEN = Duration.ofMillis(5);
    private static final long ANSWER_MAX_SECONDS = 90;
    private static final Duration STOP_MAX = Duration.ofSeconds(20);
    private static final String QUESTION =
            "{\"model\":\"%s\",\"instructions\":\"%s\",\"input\":\"Count from 1 to 150.\",\"stream\":true}";
    private static final Executor CALLERS = Executors.newVirtualThreadPerTaskExecutor();
    private static final AtomicLong LONGEST_PAUSE = new AtomicLong();

    @TempDir
    private static Path folder;

    private static RunningSuite suite;
    private static Service gateway;
    private static ApiClient caller;
    private static String wholeAnswer;
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @BeforeAll
    static void start() throws IOException {
        suite = new RunningSuite(folder);
        var worker = suite.startWorker(PER_TOKEN);
        gateway = suite.startGateway().ready();
        worker.ready();
        caller = suite.client(RunningSuite.SUMMARY_KEY);
        wholeAnswer = Streams.text(ask(), "response.output_text.delta");
        assertThat(wholeAnswer).contains("150");
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    private static List<SseEvent> ask() {
        var last = new AtomicLong(Long.MAX_VALUE);
        // Prompts that begin alike go to the same two workers.
        var question = QUESTION.formatted(RunningSuite.MODEL, UUID.randomUUID());
        return caller.stream("/v1/responses", question, _ -> {
            long now = System.nanoTime();
            LONGEST_PAUSE.accumulateAndGet(now - last.getAndSet(now), Math::max);
        });
    }

    @Test
    void aKilledWorkerCostsAPauseAndNothingElse() throws Exception {
        var workers =
                new ArrayList<Service>(List.of(suite.startWorker(PER_TOKEN).ready()));
        for (int kill = 0; kill < KILLS; kill++) {
            workers.add(suite.startWorker(PER_TOKEN).ready());
            var victim = workers.removeFirst();
            underAnswers("kill " + kill, victim.process()::kill);
        }
    }

    @Test
    void aFrozenWorkerCostsAPauseAndItsReturnAddsNothing() throws Exception {
        for (int stop = 0; stop < STOPS; stop++) {
            var victim = suite.startWorker(PER_TOKEN).ready();
            underAnswers("stop " + stop, victim.process()::pause);
            // What it still has to say goes to a log that has ended, while the next answers run.
            underAnswers("return " + stop, victim.process()::resume);
            victim.process().stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void aWorkerThatIsToldToEndHandsOver() throws Exception {
        var workers =
                new ArrayList<Service>(List.of(suite.startWorker(PER_TOKEN).ready()));
        for (int drain = 0; drain < DRAINS; drain++) {
            workers.add(suite.startWorker(PER_TOKEN).ready());
            var victim = workers.removeFirst();
            underAnswers("drain " + drain, () -> {
                long begun = System.nanoTime();
                victim.process().stop(STOP_MAX);
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as("ended by itself")
                        .isLessThan(STOP_MAX);
            });
        }
        assertThat(gateway.process().output()).contains("reissued");
    }

    @Test
    void ticketsThatAKilledWorkerHasNotReadAreSentAgain() throws Exception {
        var victim = suite.startWorker(PER_TOKEN).ready();
        do {
            underAnswers("before", () -> {});
        } while (victim.metric("counterpoint_worker_tokens_total") == 0);
        victim.process().pause();
        int before = ticketsSentAgain();
        var answers = startAnswers(REQUESTS_MEANWHILE);
        victim.process().kill();
        for (var answer : answers) {
            assertWhole("unread", answer);
        }
        assertThat(ticketsSentAgain()).isGreaterThan(before);
        reportPause("unread, %d tickets sent again".formatted(ticketsSentAgain() - before));
    }

    private static int ticketsSentAgain() {
        return gateway.process().output().split("queued again", -1).length - 1;
    }

    @Test
    void aWorkerWhoseEngineHangsEndsAndOthersGoOn() throws Exception {
        var hangs = suite.startWorker(Map.of(
                        "WORKER_SIMULATED_FIRST_TOKEN_TIME", "5ms",
                        "WORKER_SIMULATED_PER_TOKEN_TIME", "5ms",
                        "WORKER_SIMULATED_HANG_AFTER_TOKENS", "50"))
                .ready();
        while (hangs.process().isAlive()) {
            // It takes its share of these, so it meets one that it cannot finish.
            underAnswers("hang", () -> {});
        }
        assertThat(hangs.process().output()).contains("engine failed, this worker ends detail=hangs");
    }

    /// Runs some answers at once, does something to the suite at a random moment, and checks every answer.
    private void underAnswers(String what, Runnable disturbance) throws Exception {
        var answers = startAnswers(STREAMS);
        disturbance.run();
        for (var answer : answers) {
            assertWhole(what, answer);
        }
        reportPause(what);
    }

    private List<CompletableFuture<List<SseEvent>>> startAnswers(int streams) throws InterruptedException {
        var answers = IntStream.range(0, streams)
                .mapToObj(_ -> CompletableFuture.supplyAsync(WorkerLossIT::ask, CALLERS))
                .toList();
        TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(2_000));
        return answers;
    }

    private static void reportPause(String what) {
        System.out.printf("%s: longest pause %d ms%n", what, TimeUnit.NANOSECONDS.toMillis(LONGEST_PAUSE.getAndSet(0)));
    }

    private void assertWhole(String what, CompletableFuture<List<SseEvent>> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        var events = answer.get(ANSWER_MAX_SECONDS, TimeUnit.SECONDS);
        var about = what + " with seed " + seed;
        assertThat(Streams.terminals(events)).as(about).containsExactly("response.completed");
        assertThat(Streams.text(events, "response.output_text.delta")).as(about).isEqualTo(wholeAnswer);
        assertThat(Streams.bodies(events).stream()
                        .map(event -> event.path("sequence_number").asInt()))
                .as(about)
                .containsExactlyElementsOf(
                        IntStream.range(0, events.size() - 1).boxed().toList());
        assertThat(events.getLast().data()).as(about).isEqualTo("[DONE]");
    }
}
