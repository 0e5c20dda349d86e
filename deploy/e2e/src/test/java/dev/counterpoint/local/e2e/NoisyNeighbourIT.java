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
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// M2: one key opens streams that it does not read, background jobs, and jobs that kill their worker. A key of another
/// tenant asks all the time: every answer comes whole, but for one that meets a deadly job on two workers. Prints how
/// long these took, beside those of a calm time before, in one run.
@Timeout(900)
@Tag("nightly")
class NoisyNeighbourIT {
    private static final int UNREAD = Integer.getInteger("unread.streams", 300);
    private static final int BACKGROUND = Integer.getInteger("background.jobs", 500);
    private static final int POISON = Integer.getInteger("poison.jobs", 20);
    private static final int ANSWERS = Integer.getInteger("neighbour.answers", 100);
    private static final Duration LAST = Duration.ofSeconds(Integer.getInteger("noise.seconds", 90));
    private static final String DEADLY = "melt the worker";
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

    @Test
    @DisplayName("M2 one key's unread streams, background jobs and deadly jobs do not stop another tenant")
    void oneKeysNoiseStopsNobodyElse() throws Exception {
        // Given
        var calm = new ArrayList<Times>();
        for (int i = 0; i < ANSWERS; i++) {
            calm.add(asked());
        }
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
        System.out.printf(
                "M2 another tenant: calm n=%d first text p50=%d p99=%d ms, whole p50=%d p99=%d ms; beside %d unread"
                        + " streams, %d background and %d deadly jobs n=%d first text p50=%d p99=%d ms, whole p50=%d"
                        + " p99=%d ms; deaths=%d%n",
                calm.size(),
                percentile(calm, Times::firstText, 50),
                percentile(calm, Times::firstText, 99),
                percentile(calm, Times::whole, 50),
                percentile(calm, Times::whole, 99),
                UNREAD,
                BACKGROUND,
                POISON,
                noisy.size(),
                percentile(noisy, Times::firstText, 50),
                percentile(noisy, Times::firstText, 99),
                percentile(noisy, Times::whole, 50),
                percentile(noisy, Times::whole, 99),
                workers.deaths());
        assertThat(SOCKETS).hasSize(UNREAD);
        assertThat(workers.deaths()).isLessThanOrEqualTo(2 * POISON);
        assertThat(lost).isLessThanOrEqualTo(POISON);
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
        if (ends.toString().contains("job_crashed_worker")) {
            lost++;
            return asked();
        }
        assertThat(ends).singleElement().asString().contains("42").contains("\"status\":\"completed\"");
        return new Times(TimeUnit.NANOSECONDS.toMillis(firstText), millisSince(begun));
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private static long percentile(List<Times> times, ToLongFunction<Times> which, int percent) {
        return Percentile.of(times.stream().mapToLong(which), percent);
    }

    private static String request(String input, String more) {
        return "{\"model\":\"%s\",\"input\":\"%s\",%s}".formatted(RunningSuite.MODEL, input, more);
    }
}
