package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// C1, M2: keys of one tenant send jobs that kill their worker, streams that they do not read, and background jobs. A
/// key
/// of another tenant asks all the time: every answer comes whole, but for one that meets a deadly job on two workers.
/// Prints how long these took, beside those of a calm time before. Two workers serve everybody; one that dies is
/// started
/// again, as a supervisor would.
@Timeout(900)
@Tag("nightly")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NoisyNeighbourIT {
    private static final int UNREAD = Integer.getInteger("unread.streams", 300);
    private static final int BACKGROUND = Integer.getInteger("background.jobs", 500);
    private static final int POISON = Integer.getInteger("poison.jobs", 20);
    private static final int ANSWERS = Integer.getInteger("neighbour.answers", 100);
    private static final Duration LAST = Duration.ofSeconds(Integer.getInteger("noise.seconds", 90));
    private static final String DEADLY = "melt the worker";
    private static final Duration BETWEEN_POISON = Duration.ofSeconds(3);
    private static final Set<String> RUNNING = Set.of("queued", "in_progress");
    private static final String CRASHED = "job_crashed_worker";
    private static final String REFUSED = "key_crashed_workers";
    /// More than sockets hold.
    private static final String LARGE = "\"stream\":true,\"top_logprobs\":20";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path folder;

    private static RunningSuite suite;
    private static RunningSuite.Service gateway;
    private static SupervisedWorkers workers;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final List<Socket> SOCKETS = new ArrayList<>();
    /// Answers that met a deadly job on two workers.
    private static int lost;

    /// The times of an answer, in milliseconds.
    private record Times(long firstText, long whole) {}

    @BeforeAll
    static void start() throws IOException {
        suite = new RunningSuite(folder);
        workers = new SupervisedWorkers(
                suite,
                Map.of(
                        "WORKER_SIMULATED_CRASH_ON", DEADLY,
                        "WORKER_SIMULATED_SLOTS", "8",
                        "WORKER_SIMULATED_FIRST_TOKEN_TIME", "50ms",
                        "WORKER_SIMULATED_PER_TOKEN_TIME", "10ms"));
        gateway = suite.startGateway().ready();
        workers.ready();
    }

    @AfterAll
    static void stop() throws IOException {
        for (var socket : SOCKETS) {
            socket.close();
        }
        workers.close();
        suite.close();
    }

    /// A job every three seconds that kills its worker in the prefill, until its key is refused.
    @Test
    @Order(1)
    void c1OneKeysDeadlyJobsStopNobodyElse() throws Exception {
        // Given
        var calm = calm();
        // When
        var storm = new ArrayList<Times>();
        var ends = new ArrayList<String>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var poison = new ArrayList<Future<String>>();
            for (int i = 0; i < POISON; i++) {
                poison.add(callers.submit(NoisyNeighbourIT::poison));
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
        report("C1 another tenant with %d deadly jobs, crashed=%d".formatted(POISON, crashed), calm, storm);
        assertThat(ends).allMatch(end -> end.contains(CRASHED) || end.contains(REFUSED));
        assertThat(ends.getLast()).contains(REFUSED);
        assertThat((long) workers.deaths()).as("each job takes two at most").isLessThanOrEqualTo(2 * crashed);
        assertThat((long) lost).as("each job takes one answer with it at most").isLessThanOrEqualTo(crashed);
    }

    /// A deadly job in the background.
    ///
    /// @return its end, or its refusal
    private static String poison() throws InterruptedException {
        var client = suite.client(RunningSuite.RAW_KEY);
        var asked = client.post("/v1/responses", request(DEADLY, "\"background\":true"));
        if (asked.status() == 429) {
            return asked.body().toString();
        }
        while (true) {
            var path = "/v1/responses/" + asked.body().path("id").asText();
            var now = client.get(path).body();
            if (!RUNNING.contains(now.path("status").asText())) {
                return now.toString();
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private static List<Times> calm() throws IOException, InterruptedException {
        var calm = new ArrayList<Times>();
        for (int i = 0; i < ANSWERS; i++) {
            calm.add(asked());
        }
        return calm;
    }

    private static void report(String what, List<Times> calm, List<Times> noisy) {
        System.out.printf(
                "%s: calm %s; noisy %s; deaths=%d, lost=%d%n",
                what, figures(calm), figures(noisy), workers.deaths(), lost);
    }

    private static String figures(List<Times> times) {
        return "n=%d first text p50=%d p99=%d ms, whole p50=%d p99=%d ms"
                .formatted(
                        times.size(),
                        percentile(times, Times::firstText, 50),
                        percentile(times, Times::firstText, 99),
                        percentile(times, Times::whole, 50),
                        percentile(times, Times::whole, 99));
    }

    @Test
    @Order(2)
    @DisplayName("M2 one key's unread streams, background jobs and deadly jobs do not stop another tenant")
    void oneKeysNoiseStopsNobodyElse() throws Exception {
        // Given
        var calm = calm();
        int deaths = workers.deaths();
        int lostBefore = lost;
        // When
        var noisy = new ArrayList<Times>();
        try (var noise = Executors.newVirtualThreadPerTaskExecutor()) {
            noise.submit(NoisyNeighbourIT::noise);
            long until = System.nanoTime() + LAST.toNanos();
            while (noisy.size() < ANSWERS || System.nanoTime() < until) {
                noisy.add(asked());
            }
        }
        // Then
        report(
                "M2 another tenant beside %d unread streams, %d background and %d deadly jobs"
                        .formatted(UNREAD, BACKGROUND, POISON),
                calm,
                noisy);
        assertThat(SOCKETS).hasSize(UNREAD);
        assertThat(workers.deaths() - deaths).isLessThanOrEqualTo(2 * POISON);
        assertThat(lost - lostBefore).isLessThanOrEqualTo(POISON);
    }

    private static Void noise() throws IOException {
        for (int i = 0; i < UNREAD; i++) {
            SOCKETS.add(
                    SlowSocket.ask(gateway.port(), RunningSuite.SUMMARY_KEY, request("Count from 1 to 1500.", LARGE)));
        }
        var caller = suite.client(RunningSuite.SUMMARY_KEY);
        for (int i = 0; i < BACKGROUND; i++) {
            var answer = caller.post("/v1/responses", request("Count from 1 to 300.", "\"background\":true"));
            assertThat(answer.status()).as("429 once the key is refused").isIn(200, 429);
            if (i % Math.ceilDiv(BACKGROUND, POISON) == 0) {
                caller.post("/v1/responses", request(DEADLY, "\"background\":true"));
            }
        }
        return null;
    }

    private static Times asked() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/v1/responses"))
                .header("Authorization", "Bearer " + RunningSuite.OTHER_KEY)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(request("What is 17 plus 25?\\nsay: It is 42.", "\"stream\":true")))
                .build();
        long begun = System.nanoTime();
        long firstText = 0;
        var ends = new ArrayList<String>();
        try (var lines = CLIENT.send(request, BodyHandlers.ofLines()).body()) {
            for (var line : (Iterable<String>) lines::iterator) {
                if (firstText == 0 && line.equals("event: response.output_text.delta")) {
                    firstText = System.nanoTime() - begun;
                }
                if (line.startsWith("data: {\"type\":\"response.completed\"") || line.contains("\"error\":{")) {
                    ends.add(line);
                }
            }
        }
        if (ends.toString().contains(CRASHED)) {
            lost++;
            return asked();
        }
        assertThat(ends).singleElement().asString().contains("42").contains("\"status\":\"completed\"");
        return new Times(TimeUnit.NANOSECONDS.toMillis(firstText), millisSince(begun));
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    /// By nearest rank.
    private static long percentile(List<Times> times, ToLongFunction<Times> which, int percent) {
        var sorted = times.stream().mapToLong(which).sorted().toArray();
        return sorted[Math.max(0, Math.ceilDiv(sorted.length * percent, 100) - 1)];
    }

    private static String request(String input, String more) {
        return "{\"model\":\"%s\",\"input\":\"%s\",%s}".formatted(RunningSuite.MODEL, input, more);
    }
}
