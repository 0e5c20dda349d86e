package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;
import java.net.URI;
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
    private static List<URI> gateways;

    private volatile boolean enough;

    @BeforeAll
    static void start() {
        suite = LaunchedSuite.start(folder, "--gateways", "2", "--workers", "2", "--summarizers", "2", "--audits", "2");
        gateways = suite.services().entrySet().stream()
                .filter(service -> service.getKey().startsWith("gateway"))
                .map(service -> service.getValue())
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
                    .mapToObj(number -> callers.submit((Callable<List<AcceptedResponse>>) () -> askOnAndOn(number)))
                    .toList();
            // When
            try {
                restartAll();
            } finally {
                enough = true;
            }
            // Then
            var all = new ArrayList<AcceptedResponse>();
            for (Future<List<AcceptedResponse>> answers : asking) {
                assertThat(answers.get()).isNotEmpty();
                all.addAll(answers.get());
            }
            assertThat(all)
                    .filteredOn(answer -> answer.broken() || !answer.endings().equals(List.of("response.completed")))
                    .isEmpty();
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

    private List<AcceptedResponse> askOnAndOn(int caller) throws InterruptedException {
        var clients = gateways.stream()
                .map(gateway -> new ChaosCaller(gateway, suite.export("COUNTERPOINT_API_KEY"), false))
                .toList();
        var answers = new ArrayList<AcceptedResponse>();
        while (!enough) {
            answers.add(accepted(clients, caller + answers.size(), WISHES.get(caller % WISHES.size())));
        }
        return answers;
    }

    private static AcceptedResponse accepted(List<ChaosCaller> gateways, int first, String wish)
            throws InterruptedException {
        long until = System.nanoTime() + ACCEPTED_WITHIN.toNanos();
        for (int ask = first; System.nanoTime() < until; ask++) {
            var answer = gateways.get(ask % gateways.size()).ask("Count from 1 to 60.", wish);
            if (answer.isPresent()) {
                return answer.get();
            }
            Thread.sleep(ASK_AGAIN);
        }
        throw new AssertionError("nobody took a request within " + ACCEPTED_WITHIN + ": "
                + gateways.stream().map(ChaosCaller::refusals).toList());
    }
}
