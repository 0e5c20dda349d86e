package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.canary.CanaryStaff;
import dev.counterpoint.local.canary.OptedInTenant;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Summarizer, audit service, workers and gateway are killed at random moments under load; the launcher
/// starts them again. Every accepted response has one ending, and one record when it was opted in.
/// `-Dchaos.seconds=120` for longer, `-Dseed=…` for the same moments again.
@Tag("nightly")
class SealedLaneChaosIT {
    private static final int CALLERS = 8;
    private static final Duration LOAD = Duration.ofSeconds(Integer.getInteger("chaos.seconds", 40));
    /// Sooner, the launcher would take a second death for a program that cannot start.
    private static final Duration LIVES_MIN = Duration.ofSeconds(11);
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(120);
    /// The gateway's `summary-patience-beats` of half a second each.
    private static final Duration SUMMARY_LIMIT = Duration.ofSeconds(2);
    /// For a machine that starts several JVMs meanwhile.
    private static final Duration SLACK = Duration.ofSeconds(20);

    private static final List<String> VICTIMS = List.of("summarizer", "audit", "worker-1", "worker-2", "gateway-1");
    private static final String SUMMARY = ",\"reasoning\":{\"summary\":\"auto\"}";
    private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private static Path folder;

    private static LaunchedSuite suite;
    private static OptedInTenant.Key optedIn;
    private static OptedInTenant.Key notOptedIn;
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, Integer> kills = new TreeMap<>();

    @BeforeAll
    static void start() {
        suite = LaunchedSuite.start(folder.resolve("state"), "--reasoning", "summary", "--workers", "2");
        var tenant = OptedInTenant.create(suite);
        optedIn = tenant.key("\"reasoning:summary\"");
        notOptedIn = tenant.key("\"reasoning:summary\"");
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    void everyAcceptedResponseEndsOnceAndIsOnRecordOnceWhenOptedIn() throws Exception {
        System.out.printf("chaos: seed %d, %d s%n", seed, LOAD.toSeconds());
        var accepted = new ConcurrentLinkedQueue<AcceptedResponse>();
        var refused = new ConcurrentHashMap<String, Integer>();

        var over = new AtomicBoolean();
        var callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> CompletableFuture.runAsync(() -> call(number, over, accepted, refused), THREADS))
                .toList();
        killForAWhile();
        // The callers go on until everybody is back, so that there is something to lose until the end.
        suite.awaitReady();
        awaitEnoughToLose(accepted);
        over.set(true);
        for (var caller : callers) {
            caller.get(SETTLED_WITHIN.toSeconds(), TimeUnit.SECONDS);
        }

        System.out.println("chaos: kills " + kills + ", refused " + refused);
        var statuses = settle(accepted);
        report(accepted, statuses);
        assertThat(accepted).as("seed " + seed).allSatisfy(response -> {
            assertThat(response.endings()).as(response.id()).hasSizeLessThanOrEqualTo(1);
            if (!response.endings().isEmpty()) {
                assertThat("response." + statuses.get(response.id()))
                        .as(response.id())
                        .isEqualTo(response.endings().getFirst());
            }
        });
        assertRecords(accepted);
    }

    @Test
    void aSummarizerThatIsAwayDelaysNoEndingByMoreThanItsLimit() throws Exception {
        var caller = new ChaosCaller(suite.gateway(), notOptedIn.secret(), false);
        suite.awaitReady();
        var undisturbed = ask(caller);

        suite.kill("summarizer");
        var disturbed = IntStream.range(0, 3)
                .mapToObj(_ -> CompletableFuture.supplyAsync(() -> ask(caller), THREADS))
                .toList();

        for (var each : disturbed) {
            var response = each.get(SETTLED_WITHIN.toSeconds(), TimeUnit.SECONDS);
            System.out.printf(
                    "chaos: without summarizer %d ms, with it %d ms, summary unavailable: %s%n",
                    response.took().toMillis(), undisturbed.took().toMillis(), response.summaryUnavailable());
            assertThat(response.endings()).containsExactly("response.completed");
            assertThat(response.took())
                    .isLessThan(undisturbed.took().plus(SUMMARY_LIMIT).plus(SLACK));
        }
    }

    /// A gateway that is ready may not have heard of a worker yet.
    private static AcceptedResponse ask(ChaosCaller caller) {
        long until = System.nanoTime() + SETTLED_WITHIN.toNanos();
        try {
            while (System.nanoTime() < until) {
                var response = caller.ask("Why is the sky blue?", SUMMARY);
                if (response.isPresent()) {
                    return response.get();
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("not accepted: " + caller.refusals());
    }

    private static void call(
            int number, AtomicBoolean over, Queue<AcceptedResponse> accepted, Map<String, Integer> refused) {
        boolean optsIn = number % 2 == 0;
        var key = optsIn ? optedIn : notOptedIn;
        var caller = new ChaosCaller(suite.gateway(), key.secret(), optsIn);
        try {
            while (!over.get()) {
                var response = caller.ask("Count from 1 to 60.", number < CALLERS / 2 ? SUMMARY : "");
                response.ifPresent(accepted::add);
                if (response.isEmpty()) {
                    // As `Retry-After` asks for, roughly.
                    TimeUnit.MILLISECONDS.sleep(300);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        caller.refusals().forEach((reason, times) -> refused.merge(reason, times, Integer::sum));
    }

    /// On a slow machine the suite may have been away for most of the time.
    private static void awaitEnoughToLose(Queue<AcceptedResponse> accepted) throws InterruptedException {
        long until = System.nanoTime() + SETTLED_WITHIN.toNanos();
        while (accepted.size() <= CALLERS) {
            assertThat(System.nanoTime()).as("%d accepted", accepted.size()).isLessThan(until);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private void killForAWhile() throws InterruptedException {
        long until = System.nanoTime() + LOAD.toNanos();
        while (System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(5_000));
            var names = new ArrayList<>(VICTIMS);
            Collections.shuffle(names, random);
            names.stream().filter(SealedLaneChaosIT::hasLived).findFirst().ifPresent(name -> {
                suite.kill(name);
                kills.merge(name, 1, Integer::sum);
            });
        }
    }

    private static boolean hasLived(String name) {
        return suite.isReady(name)
                && suite.running(name)
                        .flatMap(process -> process.info().startInstant())
                        .filter(start -> start.plus(LIVES_MIN).isBefore(Instant.now()))
                        .isPresent();
    }

    /// Waits until every response has ended, and says how.
    private static Map<String, String> settle(Queue<AcceptedResponse> accepted) throws InterruptedException {
        var statuses = new HashMap<String, String>();
        long until = System.nanoTime() + SETTLED_WITHIN.toNanos();
        for (var response : accepted) {
            var client = new ApiClient(suite.gateway(), (response.optedIn() ? optedIn : notOptedIn).secret());
            var status = client.get("/v1/responses/" + response.id())
                    .body()
                    .path("status")
                    .asText();
            while (!isEnded(status) && System.nanoTime() < until) {
                TimeUnit.MILLISECONDS.sleep(200);
                status = client.get("/v1/responses/" + response.id())
                        .body()
                        .path("status")
                        .asText();
            }
            assertThat(isEnded(status)).as(response.id() + " is " + status).isTrue();
            statuses.put(response.id(), status);
        }
        return statuses;
    }

    private static boolean isEnded(String status) {
        return Set.of("completed", "failed", "incomplete", "cancelled").contains(status);
    }

    private void report(Queue<AcceptedResponse> accepted, Map<String, String> statuses) {
        System.out.printf(
                "chaos: %d accepted, %d of them opted in, %d streams broken, %d without summary;"
                        + " ended %s; longest stream %d ms%n",
                accepted.size(),
                accepted.stream().filter(AcceptedResponse::optedIn).count(),
                accepted.stream().filter(AcceptedResponse::broken).count(),
                accepted.stream().filter(AcceptedResponse::summaryUnavailable).count(),
                statuses.values().stream().collect(Collectors.groupingBy(status -> status, Collectors.counting())),
                accepted.stream()
                        .mapToLong(each -> each.took().toMillis())
                        .max()
                        .orElse(0));
    }

    /// One record for each opted-in response, none for the others. Requests whose answer never began may have been
    /// accepted all the same: theirs is at most one, under the key that opts in.
    private static void assertRecords(Queue<AcceptedResponse> accepted) {
        var staff = new CanaryStaff(suite);
        for (var response : accepted) {
            if (response.optedIn()) {
                assertThat(staff.awaitRecords(response.bareId()))
                        .as(response.id())
                        .hasSize(1);
            }
        }
        var others = accepted.stream()
                .filter(response -> !response.optedIn())
                .map(AcceptedResponse::bareId)
                .collect(Collectors.toCollection(HashSet::new));
        assertThat(staff.all())
                .allMatch(record -> record.path("key").asText().equals(optedIn.id()))
                .extracting(record -> record.path("response").asText())
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(others);
    }
}
