package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.SuiteWiring;
import dev.counterpoint.openai.sse.SseEvent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a suite of many processes costs on one machine, by the CPU time of each of them: callers stream at all
/// gateways, and ask for summaries. Every answer has to be whole.
final class ScaleOutBench {
    private static final int GATEWAYS = Integer.getInteger("bench.gateways", 4);
    private static final int WORKERS = Integer.getInteger("bench.workers", 8);
    private static final int SUMMARIZERS = Integer.getInteger("bench.summarizers", 2);
    private static final int STREAMS = Integer.getInteger("bench.streams", 64);
    private static final int SECONDS = Integer.getInteger("bench.seconds", 60);
    private static final int SLOTS = Integer.getInteger("bench.slots", 32);
    private static final int WARM_SECONDS = Integer.getInteger("bench.warm.seconds", 60);
    /// Callers begin one after the other: a gateway lets a tenant begin a few requests at once only.
    private static final Duration APART = Duration.ofMillis(50);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final String UNLIMITED = "1000000000";
    private static final String TOKEN_TIME = Integer.getInteger("bench.token-millis", 20) + "ms";
    private static final String BODY = """
            {"model":"%s","input":"Count from 1 to 100.","stream":true,"reasoning":{"summary":"auto"}}\
            """.formatted(RunningSuite.MODEL);
    private static final String DELTA = "response.output_text.delta";

    private final LaunchedSuite suite;
    private final List<ApiClient> callers;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final AtomicInteger tokens = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean over;

    private ScaleOutBench(LaunchedSuite suite) {
        this.suite = suite;
        int port = suite.gateway().getPort();
        callers = IntStream.range(0, GATEWAYS)
                .mapToObj(number -> new ApiClient(
                        URI.create("http://127.0.0.1:" + (port + number)), suite.export("COUNTERPOINT_API_KEY")))
                .toList();
    }

    static void main() throws Exception {
        var folder = Files.createTempDirectory(Path.of("target"), "scale-out").toAbsolutePath();
        var worker = Map.of(
                "WORKER_SIMULATED_SLOTS", Integer.toString(SLOTS),
                "WORKER_SIMULATED_FIRST_TOKEN_TIME", TOKEN_TIME,
                "WORKER_SIMULATED_PER_TOKEN_TIME", TOKEN_TIME);
        var places = Integer.toString(2 * STREAMS);
        var gateway = Map.of(
                "GATEWAY_ADMISSION_WAITING_MAX", places,
                "GATEWAY_ADMISSION_WAITING_PER_TENANT_MAX", places,
                "GATEWAY_ADMISSION_OPEN_MAX", places,
                "GATEWAY_ADMISSION_OPEN_PER_TENANT_MAX", places,
                "GATEWAY_NEW_TENANT_CONCURRENT_STREAMS", UNLIMITED,
                "GATEWAY_NEW_TENANT_REQUESTS_PER_MINUTE", UNLIMITED);
        var variables = new HashMap<String, Map<String, String>>();
        IntStream.rangeClosed(1, WORKERS).forEach(number -> variables.put("worker-" + number, worker));
        IntStream.rangeClosed(1, GATEWAYS).forEach(number -> variables.put("gateway-" + number, gateway));
        try (var suite = LaunchedSuite.start(
                folder,
                new SuiteWiring(variables),
                "--gateways=" + GATEWAYS,
                "--workers=" + WORKERS,
                "--summarizers=" + SUMMARIZERS)) {
            suite.awaitReady();
            new ScaleOutBench(suite).measure();
        }
    }

    private void measure() throws InterruptedException {
        var whole = Streams.text(callers.getFirst().stream("/v1/responses", BODY), DELTA);
        var asking = Thread.ofVirtual().start(() -> stream(whole));
        TimeUnit.NANOSECONDS.sleep(
                APART.multipliedBy(STREAMS).plusSeconds(WARM_SECONDS).toNanos());
        var before = cpu();
        tokens.set(0);
        answers.set(0);
        refused.set(0);
        TimeUnit.SECONDS.sleep(SECONDS);
        int counted = tokens.get();
        int answered = answers.get();
        int refusals = refused.get();
        var after = cpu();
        over = true;
        asking.join();
        System.out.printf(
                Locale.ROOT,
                "%d gateways, %d workers, %d summarizers, %d streams: %d answers, %d not whole, %d not let in, %.0f tokens/s%n",
                GATEWAYS,
                WORKERS,
                SUMMARIZERS,
                STREAMS,
                answered,
                broken.get(),
                refusals,
                (double) counted / SECONDS);
        System.out.println("| process | CPU, % of a core | CPU us/token |");
        System.out.println("|---|---:|---:|");
        double sum = 0;
        for (var process : after.entrySet()) {
            var earlier = Objects.requireNonNull(before.get(process.getKey()), "it was started again");
            double micros = process.getValue().minus(earlier).toNanos() / 1e3;
            sum += micros;
            print(process.getKey(), micros, counted);
        }
        print("all", sum, counted);
    }

    private static void print(String what, double micros, int tokens) {
        System.out.printf(
                Locale.ROOT, "| %s | %.1f | %.1f |%n", what, micros / 1e4 / SECONDS, micros / Math.max(1, tokens));
    }

    /// So many callers ask again and again.
    private void stream(String whole) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 0; number < STREAMS; number++) {
                var begins = APART.multipliedBy(number);
                var caller = callers.get(number % GATEWAYS);
                threads.execute(() -> {
                    LockSupport.parkNanos(begins.toNanos());
                    while (!over) {
                        note(caller, whole);
                    }
                });
            }
        }
    }

    private void note(ApiClient caller, String whole) {
        List<SseEvent> events;
        try {
            events = caller.stream("/v1/responses", BODY);
        } catch (AssertionError e) { // not let in
            refused.incrementAndGet();
            LockSupport.parkNanos(RETRY.toNanos());
            return;
        }
        answers.incrementAndGet();
        tokens.addAndGet(usage(events.stream().map(event -> event.data()).toList()));
        boolean right = Streams.text(events, DELTA).equals(whole)
                && Streams.terminals(events).equals(List.of("response.completed"));
        if (!right) {
            broken.incrementAndGet();
        }
    }

    private static int usage(List<String> data) {
        return data.stream()
                .filter(text -> text.contains("\"response.completed\""))
                .map(ApiClient::tree)
                .map(event -> event.path("response").path("usage"))
                .mapToInt((JsonNode usage) -> usage.path("output_tokens").asInt())
                .sum();
    }

    /// What each process of the suite has used until now; PostgreSQL without its children that ended.
    private Map<String, Duration> cpu() {
        var used = new TreeMap<String, Duration>();
        for (var name : suite.addresses().keySet()) {
            var root = suite.process(name);
            var all = Stream.concat(Stream.of(root), root.descendants())
                    .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                    .reduce(Duration.ZERO, Duration::plus);
            used.put(name, all);
        }
        return used;
    }
}
