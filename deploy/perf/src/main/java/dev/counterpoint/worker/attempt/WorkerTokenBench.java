package dev.counterpoint.worker.attempt;

import com.sun.management.OperatingSystemMXBean;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.remote.RemoteEngine;
import dev.counterpoint.engine.remote.RemoteOptions;
import dev.counterpoint.engine.remote.ServerDialect;
import dev.counterpoint.engine.remote.VllmDialect;
import dev.counterpoint.testkit.TestInfra;
import dev.counterpoint.testkit.TestKafka;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// What a worker computes for a token of a server that tells 1, 8 or 32 tokens an event: the time of all threads of
/// this process, which has the engine, the attempts and the clients of a real broker, and neither the server nor
/// the broker.
///
/// Each size is measured by turns with the others: the first one is what the others are compared to.
final class WorkerTokenBench {
    static final List<Integer> CHUNKS = List.of(1, 8, 32);

    private static final int STREAMS = Integer.getInteger("bench.streams", 32);
    private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
    private static final int WARM_ROUNDS = 2;
    /// Fifty tokens a second, as a busy GPU gives each of its outputs.
    private static final int PACED_MICROS = 20_000;

    /// As the worker's bus does for so many.
    private static final Duration GATHERING_OF_MANY = Duration.ofMillis(5);

    private static final OperatingSystemMXBean MACHINE =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final KafkaClients clients = new KafkaClients(TestInfra.kafka().bootstrapServers(), TestKafka.adminLogin());
    private final FrameSender sender = new FrameSender(
            clients.patientProducer(),
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("frame-sender").daemon().factory()),
            () -> GATHERING_OF_MANY);
    private final KeyRing keys;
    private int asked;

    private WorkerTokenBench(Path folder) throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
        try (var admin = clients.admin()) {
            new Topics(admin).ensureShared(Topic.FRAMES_PER_GATEWAY);
        }
    }

    static void main() throws Exception {
        var bench = new WorkerTokenBench(Files.createTempDirectory("worker-bench"));
        System.out.println("| " + STREAMS + " outputs | tokens an event | CPU µs a token: median | least | greatest"
                + " | of one token an event | tokens/s of one core |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|");
        bench.measure("50 tokens/s each", PACED_MICROS);
        bench.measure("as fast as they are read", 0);
        bench.sender.close(Duration.ofSeconds(5));
        System.exit(0); // the broker's client threads
    }

    private void measure(String pace, int tokenMicros) throws Exception {
        var server = start(tokenMicros);
        try {
            var micros = new HashMap<Integer, List<Double>>();
            for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
                for (int chunk : CHUNKS) {
                    double figure = round(server.address(), chunk);
                    if (round >= 0) {
                        micros.computeIfAbsent(chunk, _ -> new ArrayList<>()).add(figure);
                    }
                }
            }
            CHUNKS.forEach(chunk -> print(pace, chunk, micros));
        } finally {
            server.process().destroy();
        }
    }

    private static void print(String pace, int chunk, Map<Integer, List<Double>> micros) {
        var each = of(chunk, micros).stream().sorted().toList();
        double median = median(each);
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %.1f | %.1f | %.1f | %.2f | %,.0f |%n",
                pace,
                chunk,
                median,
                each.getFirst(),
                each.getLast(),
                median / median(of(CHUNKS.getFirst(), micros)),
                1e6 / median);
    }

    private static List<Double> of(int chunk, Map<Integer, List<Double>> micros) {
        return Objects.requireNonNull(micros.get(chunk), "nothing was measured");
    }

    private static double median(List<Double> figures) {
        return figures.stream().sorted().toList().get(figures.size() / 2);
    }

    private record Server(Process process, URI address) {}

    private static Server start(int tokenMicros) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChunkServer.class.getName(),
                        String.valueOf(tokenMicros))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "stop"));
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var port = said.readLine().substring("port ".length());
        return new Server(process, URI.create("http://127.0.0.1:" + port));
    }

    /// @return microseconds of a token
    private double round(URI server, int chunk) throws Exception {
        try (var engine = new RemoteEngine(new RemoteOptions(
                VllmDialect.COMPLETIONS,
                "m",
                ChunkServer.MODEL + chunk,
                new UpstreamAccess(List.of(server), null, UpstreamAccess.Timeouts.DEFAULT, ServerDialect.HEALTH_PATH),
                OptionalInt.of(STREAMS),
                8192))) {
            while (engine.health().status() != EngineHealth.Status.READY) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
            var bench = new Workbench(engine, keys);
            var attempts =
                    IntStream.range(0, STREAMS).mapToObj(_ -> attempt(bench)).toList();
            long before = MACHINE.getProcessCpuTime();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var running = new ArrayList<Future<?>>();
                attempts.forEach(attempt -> running.add(threads.submit(attempt::run)));
                for (var each : running) {
                    each.get();
                }
            }
            double spent = (MACHINE.getProcessCpuTime() - before) / 1e3;
            return spent / ((double) STREAMS * ChunkServer.TOKENS);
        }
    }

    private Attempt attempt(Workbench bench) {
        int number = asked++;
        var id = new ResponseId(System.currentTimeMillis(), number % Topic.FRAMES_PER_GATEWAY, 0xCAFE, number);
        var ticket = new JobTicket(
                id, 0, 1, AttemptLog.TENANT, Set.of(), Long.MAX_VALUE, 0, 1, null, false, UnknownFields.NONE);
        var publisher = new FramePublisher(ticket, 1, AttemptKeys.create(), sender);
        publisher.fenced(true);
        return new Attempt(bench.attempt(ticket, publisher), Workbench.asking("hi"), null, List.of(), bench.context);
    }
}
