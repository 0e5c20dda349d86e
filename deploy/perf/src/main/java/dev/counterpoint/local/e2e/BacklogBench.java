package dev.counterpoint.local.e2e;

import dev.counterpoint.local.e2e.RunningSuite.Service;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// How fast jobs are worked off that have waited for long, beside jobs that find an empty queue. The worker that
/// takes them is away meanwhile; another one, whose only slot is taken, keeps the model offered, and callers of another
/// model fill the logs between a job's frame 0 and its fence.
final class BacklogBench {
    private static final int JOBS = Integer.getInteger("bench.jobs", 1_000);
    private static final double MINUTES = Double.parseDouble(System.getProperty("bench.backlog-minutes", "20"));
    private static final int NOISY_STREAMS = Integer.getInteger("bench.noisy-streams", 8);
    private static final int SLOTS = 64;
    private static final String NOISY_MODEL = "noisy";
    private static final Duration ANSWERED_WITHIN = Duration.ofHours(1);
    /// Rates are of the jobs between these parts of all, so that no start and no end counts.
    private static final double FROM = 0.1;

    private static final double TO = 0.9;

    private final RunningSuite suite;
    private final ApiClient caller;
    private volatile boolean noisy = true;

    private BacklogBench(Path folder) throws IOException {
        suite = new RunningSuite(folder);
        caller = suite.client(RunningSuite.SUMMARY_KEY);
        var places = Integer.toString(JOBS + 100);
        var deadline = (int) Math.ceil(MINUTES + 15) + "m";
        suite.startGateway(Map.of(
                        "GATEWAY_STREAM_DEADLINE", deadline,
                        "GATEWAY_FIRST_TOKEN_TIMEOUT", deadline,
                        "QUARKUS_HTTP_IDLE_TIMEOUT", deadline,
                        "GATEWAY_ADMISSION_WAITING_MAX", places,
                        "GATEWAY_ADMISSION_WAITING_PER_TENANT_MAX", places,
                        "GATEWAY_ADMISSION_OPEN_MAX", places,
                        "GATEWAY_ADMISSION_OPEN_PER_TENANT_MAX", places))
                .ready();
    }

    static void main() throws Exception {
        var bench = new BacklogBench(
                Files.createTempDirectory(Path.of("target"), "backlog").toAbsolutePath());
        try {
            bench.measure();
        } finally {
            bench.noisy = false;
            bench.suite.close();
        }
    }

    private void measure() throws Exception {
        var keeper = worker(1, "2s", RunningSuite.MODEL);
        worker(NOISY_STREAMS, "10ms", NOISY_MODEL);
        awaitModels();
        Thread.ofVirtual().start(() -> answer(RunningSuite.MODEL, "Recite 2000 verifiable words."));
        while (keeper.metric("counterpoint_worker_running") == 0) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        for (int stream = 0; stream < NOISY_STREAMS; stream++) {
            Thread.ofVirtual().start(this::makeNoise);
        }
        System.out.println("| jobs that | jobs | jobs/s | from taking to fence, ms | not right |");
        System.out.println("|---|---:|---:|---:|---:|");
        var present = worker(SLOTS, "1ms", RunningSuite.MODEL);
        finish("warm up", present, ask(SLOTS, Duration.ZERO));
        present.process().kill();
        present = worker(SLOTS, "1ms", RunningSuite.MODEL);
        finish("find an empty queue", present, ask(SLOTS, Duration.ZERO));
        present.process().kill();
        var span = Duration.ofMillis((long) (MINUTES * 60_000));
        var waiting = ask(JOBS, span);
        TimeUnit.NANOSECONDS.sleep(span.toNanos());
        present = worker(SLOTS, "1ms", RunningSuite.MODEL);
        finish("waited for up to %.1f minutes".formatted(MINUTES), present, waiting);
    }

    private Service worker(int slots, String perToken, String model) {
        return suite.startWorker(new HashMap<>(Map.of(
                        "WORKER_SIMULATED_SLOTS", Integer.toString(slots),
                        "WORKER_SIMULATED_FIRST_TOKEN_TIME", perToken,
                        "WORKER_SIMULATED_PER_TOKEN_TIME", perToken,
                        "WORKER_MODEL_NAME", model)))
                .ready();
    }

    private void awaitModels() throws InterruptedException {
        for (var model : List.of(RunningSuite.MODEL, NOISY_MODEL)) {
            while (caller.get("/v1/models/" + model).status() != 200) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private void makeNoise() {
        while (noisy) {
            answer(NOISY_MODEL, "Count from 1 to 100.");
        }
    }

    private boolean answer(String model, String question) {
        var body = "{\"model\":\"%s\",\"input\":\"%s\",\"store\":false}".formatted(model, question);
        var answer = caller.send(caller.request("/v1/responses")
                .timeout(ANSWERED_WITHIN)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
        return answer.status() == 200 && answer.body().toString().contains("\"1, 2, 3.\"");
    }

    /// When an answer came, and whether it was right.
    private record Answered(long atNanos, boolean right) {}

    /// @param atOnce callers; each asks again when it has its answer, until all jobs are asked
    /// @param span over which they begin
    private List<Future<Answered>> ask(int atOnce, Duration span) {
        var answers = new ArrayList<Future<Answered>>();
        var places = new Semaphore(atOnce);
        var callers = Executors.newVirtualThreadPerTaskExecutor();
        for (int number = 0; number < JOBS; number++) {
            long delay = span.toNanos() / JOBS * number;
            answers.add(callers.submit(() -> {
                TimeUnit.NANOSECONDS.sleep(delay);
                places.acquire();
                boolean right = answer(RunningSuite.MODEL, "Count from 1 to 3.");
                places.release();
                return new Answered(System.nanoTime(), right);
            }));
        }
        callers.shutdown();
        return answers;
    }

    private static void finish(String what, Service worker, List<Future<Answered>> answers)
            throws InterruptedException, ExecutionException {
        var times = new ArrayList<Long>();
        int wrong = 0;
        for (var answer : answers) {
            var answered = answer.get();
            times.add(answered.atNanos());
            wrong += answered.right() ? 0 : 1;
        }
        times.sort(null);
        int from = (int) (JOBS * FROM);
        int to = (int) (JOBS * TO);
        double seconds = (times.get(to) - times.get(from)) / 1e9;
        double fences = worker.metric("counterpoint_worker_fence_seconds_count");
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %.0f | %.1f | %d |%n",
                what,
                JOBS,
                (to - from) / seconds,
                1_000 * worker.metric("counterpoint_worker_fence_seconds_sum") / fences,
                wrong);
    }
}
