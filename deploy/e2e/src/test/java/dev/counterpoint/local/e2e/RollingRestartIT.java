package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.openai.sse.SseEvent;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// Every service is told to end and starts again while callers stream: of each service the first replica, all at once,
/// and when these are back the second. Callers do what clients do: who is refused, or finds nobody, asks another
/// gateway.
@Timeout(600)
@Tag("nightly")
class RollingRestartIT {
    private static final List<List<String>> REPLICAS = List.of(
            List.of("worker-1", "summarizer", "audit", "gateway-1"),
            List.of("worker-2", "summarizer-2", "audit-2", "gateway-2"));
    private static final int CALLERS = 6;
    /// Half of them ask for a summary of the reasoning.
    private static final List<String> WISHES = List.of("", ",\"reasoning\":{\"summary\":\"auto\"}");
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(120);
    private static final Duration ACCEPTED_WITHIN = Duration.ofSeconds(30);
    private static final Duration ASK_AGAIN = Duration.ofMillis(100);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path folder;

    private static LaunchedSuite suite;
    private static List<ApiClient> gateways;

    private volatile boolean enough;

    @BeforeAll
    static void start() {
        suite = LaunchedSuite.start(folder, "--gateways", "2", "--workers", "2", "--summarizers", "2", "--audits", "2");
        gateways = suite.services().entrySet().stream()
                .filter(service -> service.getKey().startsWith("gateway"))
                .map(service -> new ApiClient(service.getValue(), suite.export("COUNTERPOINT_API_KEY")))
                .toList();
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    void aRollingRestartOfAllServicesFailsNoRequest() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            // Given
            var asking = IntStream.range(0, CALLERS)
                    .mapToObj(number -> callers.submit((Callable<List<List<SseEvent>>>) () -> askOnAndOn(number)))
                    .toList();
            // When
            try {
                restartAll();
            } finally {
                enough = true;
            }
            // Then
            var all = new ArrayList<List<SseEvent>>();
            for (Future<List<List<SseEvent>>> answers : asking) {
                assertThat(answers.get()).isNotEmpty();
                all.addAll(answers.get());
            }
            assertThat(all).allSatisfy(answer -> {
                assertThat(Streams.terminals(answer)).containsExactly("response.completed");
                assertThat(answer.getLast().data()).isEqualTo("[DONE]");
            });
        }
    }

    private static void restartAll() {
        for (var names : REPLICAS) {
            var ends = names.stream()
                    .map(suite::process)
                    .peek(ProcessHandle::destroy)
                    .map(ProcessHandle::onExit)
                    .toList();
            for (int i = 0; i < ends.size(); i++) {
                assertThat(ends.get(i)).as(names.get(i) + " ends").succeedsWithin(ENDS_WITHIN);
            }
            names.forEach(suite::awaitReady);
        }
    }

    private List<List<SseEvent>> askOnAndOn(int caller) throws InterruptedException {
        var answers = new ArrayList<List<SseEvent>>();
        while (!enough) {
            answers.add(accepted(caller + answers.size(), WISHES.get(caller % WISHES.size())));
        }
        return answers;
    }

    /// Asks one gateway after the other until one lets the request in.
    private static List<SseEvent> accepted(int first, String wish) throws InterruptedException {
        var body = "{\"model\":\"%s\",\"input\":\"Count from 1 to 60.\",\"stream\":true%s}"
                .formatted(RunningSuite.MODEL, wish);
        var refusals = new ArrayList<String>();
        long until = System.nanoTime() + ACCEPTED_WITHIN.toNanos();
        for (int ask = first; System.nanoTime() < until; ask++) {
            var events = new ArrayList<SseEvent>();
            try {
                return gateways.get(ask % gateways.size()).stream("/v1/responses", body, events::add);
            } catch (UncheckedIOException broken) {
                if (!events.isEmpty()) {
                    return events;
                }
                refusals.add(broken.toString());
            } catch (AssertionError refused) {
                if (!events.isEmpty()) {
                    throw refused;
                }
                refusals.add(refused.toString());
            }
            Thread.sleep(ASK_AGAIN);
        }
        throw new AssertionError("no gateway let a request in within " + ACCEPTED_WITHIN + ": " + refusals);
    }
}
