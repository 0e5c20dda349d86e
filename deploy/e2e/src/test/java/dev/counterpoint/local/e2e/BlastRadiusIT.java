package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// C1: one key sends a job every three seconds that kills its worker in the prefill, until the key is refused. Another
/// tenant asks all the time: its answers come, but for those that were in their prefill beside a deadly job on both of
/// its workers. Prints how long its answers took, beside those of a calm time before. Two workers serve everybody; one
/// that dies is started again, as a supervisor would.
@Timeout(900)
@Tag("nightly")
class BlastRadiusIT {
    private static final int POISON_JOBS = Integer.getInteger("poison.jobs", 20);
    private static final Duration BETWEEN_POISON = Duration.ofSeconds(3);
    private static final int CALM_REQUESTS = 10 * POISON_JOBS;
    private static final String DEADLY = "melt the worker";
    private static final Set<String> RUNNING = Set.of("queued", "in_progress");
    private static final String CRASHED = "job_crashed_worker";
    private static final String REFUSED = "key_crashed_workers";
    private static final Map<String, String> ENGINE = Map.of(
            "WORKER_SIMULATED_CRASH_ON", DEADLY,
            "WORKER_SIMULATED_FIRST_TOKEN_TIME", "50ms",
            "WORKER_SIMULATED_PER_TOKEN_TIME", "2ms");

    @TempDir
    private static Path folder;

    private static RunningSuite suite;
    private static SupervisedWorkers workers;
    /// Answers to the other tenant that met a deadly job on two workers.
    private static int met;

    @BeforeAll
    static void start() throws IOException {
        suite = new RunningSuite(folder);
        workers = new SupervisedWorkers(suite, ENGINE);
        suite.startGateway().ready();
        workers.ready();
    }

    @AfterAll
    static void stop() {
        workers.close();
        suite.close();
    }

    @Test
    void c1OneKeysDeadlyJobsStopNobodyElse() throws Exception {
        // Given
        var calm = new ArrayList<Long>();
        for (int i = 0; i < CALM_REQUESTS; i++) {
            calm.add(asked());
        }
        // When
        var storm = new ArrayList<Long>();
        var ends = new ArrayList<String>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var poison = new ArrayList<Future<String>>();
            for (int i = 0; i < POISON_JOBS; i++) {
                poison.add(callers.submit(BlastRadiusIT::poison));
                long until = System.nanoTime() + BETWEEN_POISON.toNanos();
                while (System.nanoTime() < until) {
                    storm.add(asked());
                }
            }
            while (!poison.stream().allMatch(Future::isDone)) {
                storm.add(asked());
            }
            for (var each : poison) {
                ends.add(each.get());
            }
        }
        // One more ends through another worker, should all of these have met the same one.
        ends.add(poison());
        ends.add(poison());
        long crashed = ends.stream().filter(end -> end.contains(CRASHED)).count();
        // Then
        System.out.printf(
                "C1 another tenant: calm n=%d p50=%d p99=%d ms; with %d deadly jobs n=%d p50=%d p99=%d max=%d ms;"
                        + " crashed=%d deaths=%d innocents lost=%d%n",
                calm.size(),
                percentile(calm, 50),
                percentile(calm, 99),
                POISON_JOBS,
                storm.size(),
                percentile(storm, 50),
                percentile(storm, 99),
                percentile(storm, 100),
                crashed,
                workers.deaths(),
                met);
        assertThat(ends).allMatch(end -> end.contains(CRASHED) || end.contains(REFUSED));
        assertThat(ends.getLast()).contains(REFUSED);
        assertThat((long) workers.deaths()).as("each job takes two at most").isLessThanOrEqualTo(2 * crashed);
        assertThat((long) met).as("each job takes one answer with it at most").isLessThanOrEqualTo(crashed);
    }

    private static long percentile(List<Long> times, int percent) {
        return Percentile.of(times.stream().mapToLong(Long::longValue), percent);
    }

    /// How long an answer to the other tenant took, in milliseconds.
    private static long asked() {
        long begun = System.nanoTime();
        var answer = suite.client(RunningSuite.OTHER_KEY).post("/v1/responses", request("Say hello.", false));
        if (answer.body().path("error").path("code").asText().equals(CRASHED)) {
            met++;
        } else {
            assertThat(answer.body().path("status").asText())
                    .as("%s", answer.body())
                    .isEqualTo("completed");
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    /// A deadly job in the background.
    ///
    /// @return its end, or its refusal
    private static String poison() throws InterruptedException {
        var client = suite.client(RunningSuite.SUMMARY_KEY);
        var asked = client.post("/v1/responses", request(DEADLY, true));
        var id = asked.body().path("id");
        if (asked.status() == 429) {
            return asked.body().toString();
        }
        while (true) {
            var now = client.get("/v1/responses/" + id.asText()).body();
            if (!RUNNING.contains(now.path("status").asText())) {
                return now.toString();
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private static String request(String input, boolean background) {
        return "{\"model\":\"%s\",\"input\":\"%s\",\"background\":%s}".formatted(RunningSuite.MODEL, input, background);
    }
}
