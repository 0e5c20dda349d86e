package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.local.e2e.RunningSuite.Service;
import dev.counterpoint.testkit.TestKafka;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/// How long streams stand still when one of two workers dies, freezes, hangs or is told to end, and how soon an
/// engine stops after its caller left. Every answer is to be, word by word, that of a stream that nobody disturbed.
final class PauseBench {
    private static final int STREAMS = Integer.getInteger("bench.streams", 200);
    private static final int TOKEN_MILLIS = Integer.getInteger("bench.token-millis", 100);
    private static final String WANTED = System.getProperty("bench.kinds", "SIGTERM,SIGKILL,SIGSTOP,hang,leave");
    /// Between two callers that leave.
    private static final int LEAVE_MILLIS = 50;
    /// Of each worker: one alone carries all streams, and keeps some free for urgent jobs.
    private static final int SLOTS = 2 * STREAMS;
    private static final int SPEAKING = 10;
    private static final int BEGINNING = 8;
    private static final int HANG_AFTER_TOKENS = 150;
    /// An answer has two tokens for each number that it counts to.
    private static final int COUNTED = 200;
    private static final int COUNTED_TO_WARM = 20;
    /// Nobody may have ended before the last caller has left.
    private static final int COUNTED_TO_LEAVE = 600;
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final Duration STOP_MAX = Duration.ofSeconds(30);

    private final RunningSuite suite;
    private final ApiClient caller;
    private String wholeAnswer = "";
    private volatile boolean listening = true;

    private PauseBench(Path folder) throws IOException {
        suite = new RunningSuite(folder);
        caller = suite.client(RunningSuite.SUMMARY_KEY);
    }

    static void main() throws IOException, InterruptedException {
        var bench = new PauseBench(
                Files.createTempDirectory(Path.of("target"), "pause-bench").toAbsolutePath());
        try {
            bench.suite.startGateway().ready();
            System.out.printf("%d streams, a token each %d ms%n", STREAMS, TOKEN_MILLIS);
            System.out.println(
                    "| what | streams | p50 ms | p99 ms | longest ms | not completed | other words | load |");
            System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|");
            bench.pauses("SIGTERM", "", worker -> worker.process().stop(STOP_MAX));
            bench.pauses("SIGKILL", "", worker -> worker.process().kill());
            bench.pauses("SIGSTOP", "", worker -> worker.process().pause());
            bench.pauses("hang", Integer.toString(HANG_AFTER_TOKENS), _ -> {});
            if (WANTED.contains("leave")) {
                bench.leaving();
            }
        } finally {
            bench.suite.close();
        }
    }

    /// The streams of the worker that is struck are those that stood still for longest.
    ///
    /// @param hangAfterTokens of that worker's engine; empty for never
    private void pauses(String what, String hangAfterTokens, Consumer<Service> disturbance)
            throws IOException, InterruptedException {
        if (!WANTED.contains(what)) {
            return;
        }
        var second = worker("");
        warm();
        if (wholeAnswer.isEmpty()) {
            var undisturbed = open(COUNTED, 1).getFirst();
            undisturbed.awaitEnd();
            wholeAnswer = undisturbed.text();
        }
        var victim = worker(hangAfterTokens);
        var streams = open(COUNTED, STREAMS);
        int struck = (int) victim.metric("counterpoint_worker_running");
        for (var stream : streams) {
            stream.startWatch();
        }
        disturbance.accept(victim);
        for (var stream : streams) {
            stream.awaitEnd();
        }
        var pauses = streams.stream()
                .mapToDouble(OpenStream::longestPauseMillis)
                .sorted()
                .skip(STREAMS - struck)
                .toArray();
        var endings = streams.stream().collect(Collectors.groupingBy(OpenStream::ending, Collectors.counting()));
        long otherWords = streams.stream()
                .filter(stream -> !stream.text().equals(wholeAnswer))
                .count();
        print(what, pauses, STREAMS - endings.getOrDefault("response.completed", 0L), otherWords);
        victim.process().kill();
        second.process().stop(STOP_MAX);
    }

    private Service worker(String hangAfterTokens) {
        var settings = new HashMap<>(Map.of(
                "WORKER_SIMULATED_SLOTS", Integer.toString(SLOTS),
                "WORKER_SIMULATED_FIRST_TOKEN_TIME", TOKEN_MILLIS + "ms",
                "WORKER_SIMULATED_PER_TOKEN_TIME", TOKEN_MILLIS + "ms"));
        if (!hangAfterTokens.isEmpty()) {
            settings.put("WORKER_SIMULATED_HANG_AFTER_TOKENS", hangAfterTokens);
        }
        return suite.startWorker(settings).ready();
    }

    /// A worker that is there to take over has worked before.
    private void warm() throws InterruptedException {
        for (var stream : open(COUNTED_TO_WARM, STREAMS)) {
            stream.awaitEnd();
        }
    }

    /// Streams that all speak.
    private List<OpenStream> open(int countTo, int count) throws InterruptedException {
        while (caller.get("/v1/models/" + RunningSuite.MODEL).status() != 200) {
            TimeUnit.MILLISECONDS.sleep(100); // the gateway hears of a worker by its beat
        }
        var streams = new ArrayList<OpenStream>();
        // The gateway lets so many of a tenant's requests begin at once.
        try (var callers = Executors.newFixedThreadPool(BEGINNING)) {
            var opened = new ArrayList<Future<OpenStream>>();
            for (int number = 0; number < count; number++) {
                var question = "Count from 1 to %d.".formatted(countTo);
                var body =
                        "{\"model\":\"%s\",\"input\":\"%s\",\"stream\":true}".formatted(RunningSuite.MODEL, question);
                opened.add(callers.submit(() -> new OpenStream(caller, body, SPEAKING)));
            }
            for (var stream : opened) {
                streams.add(stream.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        for (var stream : streams) {
            stream.awaitSpeaking();
        }
        return streams;
    }

    /// Callers leave one after the other. When an engine stopped, the last frame of its worker tells, and cannot
    /// tell more closely than a token's time.
    private void leaving() throws IOException, InterruptedException {
        var worker = worker("");
        var last = new ConcurrentHashMap<String, Long>();
        var hears = new CountDownLatch(1);
        var listens = Thread.ofPlatform().daemon().start(() -> listen(last, hears));
        hears.await();
        var streams = open(COUNTED_TO_LEAVE, STREAMS);
        var left = new HashMap<String, Long>();
        for (var stream : streams) {
            left.put(stream.id(), System.currentTimeMillis());
            stream.leave();
            TimeUnit.MILLISECONDS.sleep(LEAVE_MILLIS);
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE.toMillis());
        listening = false;
        listens.join();
        var stops = left.entrySet().stream()
                .mapToDouble(entry -> Math.max(
                        0, Objects.requireNonNull(last.get(entry.getKey()), "nothing was heard") - entry.getValue()))
                .sorted()
                .toArray();
        print("caller leaves, until the engine's last token", stops, 0, 0);
        System.out.printf("still running: %.0f%n", worker.metric("counterpoint_worker_running"));
        worker.process().stop(STOP_MAX);
    }

    /// @param last when each response's worker said something last
    private void listen(Map<String, Long> last, CountDownLatch hears) {
        try (var reader = new KafkaClients(suite.kafka.bootstrapServers(), TestKafka.adminLogin()).reader()) {
            var partitions = reader.partitionsFor(Topic.FRAMES).stream()
                    .map(info -> new TopicPartition(Topic.FRAMES, info.partition()))
                    .toList();
            reader.assign(partitions);
            reader.seekToEnd(partitions);
            partitions.forEach(reader::position);
            hears.countDown();
            while (listening) {
                for (var record : reader.poll(Duration.ofMillis(100))) {
                    if (Frame.decode(record.value()).kind() == FrameKind.DELTA) {
                        last.put(Frame.responseOf(record), record.timestamp());
                    }
                }
            }
        }
    }

    private static void print(String what, double[] sorted, long failed, long otherWords) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %.0f | %.0f | %.0f | %d | %d | %.1f |%n",
                what,
                sorted.length,
                sorted[sorted.length / 2],
                sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)],
                sorted[sorted.length - 1],
                failed,
                otherWords,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
