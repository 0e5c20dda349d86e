package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.SummaryWriter;
import dev.counterpoint.local.canary.OptedInTenant;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Starts the suite with two of everything, hurts it as the seed says while callers ask, lets it come to rest, and
/// checks what is left. Exit status 1 where a promise was broken.
///
/// System properties: `minutes` of faults, `seed`, `callers`, `brokers` (1, or 3 that keep every record three times
/// and take what two have), `summaries` ([SummaryWriter]); `faults=none` lets the callers alone do the harm, and then
/// nothing may be re-issued.
public final class FaultRun {
    private static final String MODEL = "counterpoint-simulated";
    private static final String RANDOM = "random";
    private static final String NONE = "none";
    /// For JVMs that start on a busy machine.
    private static final Duration BACK_WITHIN = Duration.ofMinutes(5);
    /// After the last fault everything accepted has ended within this.
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(120);
    /// For rows and records to follow.
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(60);

    private static final Duration CALLERS_MAX = Duration.ofMinutes(10);
    private static final long LOOK_AGAIN_MILLIS = 1_000;
    private static final int REPLAYS_MAX = 1_000;

    private final Path folder;
    private final FaultReport report;
    private final long seed;
    private final Duration length;
    private final int brokers = Integer.getInteger("brokers", 1);

    private FaultRun(Path folder, PrintStream out, long seed, Duration length) {
        this.folder = folder;
        this.report = new FaultReport(folder, out);
        this.seed = seed;
        this.length = length;
    }

    public static void main(String[] arguments) throws Exception {
        var seed = System.getProperty("seed", RANDOM);
        double minutes = Double.parseDouble(System.getProperty("minutes", "10"));
        var folder = Path.of("target", "faults").toAbsolutePath();
        var run = new FaultRun(
                folder,
                System.out,
                seed.equals(RANDOM) ? ThreadLocalRandom.current().nextInt(1_000_000) : Long.parseLong(seed),
                Duration.ofMillis(Math.round(minutes * 60_000)));
        System.exit(run.run().isEmpty() ? 0 : 1);
    }

    /// One run in this JVM, for the test of each build.
    ///
    /// @return the promises that were broken
    static List<Violation> violations(long seed, Duration length) throws Exception {
        var folder = Path.of("target", "faults").toAbsolutePath();
        return new FaultRun(folder, System.out, seed, length).run();
    }

    private List<Violation> run() throws Exception {
        FaultReport.clear(folder);
        var schedule = NONE.equals(System.getProperty("faults"))
                ? List.<Fault>of()
                : Schedule.of(seed, length, Cast.brokers(brokers));
        report.begin(seed, length, brokers, schedule);
        int databasePort = FreePort.find();
        var state = Files.createDirectories(folder.resolve("state"));
        Files.writeString(state.resolve("ports"), "postgres=" + databasePort + "\n");
        var variables = new HashMap<>(SummaryWriter.wanted().variables());
        variables.putAll(LaunchedSuite.SHORT_LIVED);
        variables.put("WORKER_SIMULATED_PER_TOKEN_TIME", "20ms");
        try (var proxies = new FaultProxies(databasePort, brokers);
                var suite = LaunchedSuite.start(
                        state,
                        proxies.wiring(variables),
                        "--gateways=2",
                        "--workers=2",
                        "--summarizers=2",
                        "--audits=2",
                        "--port=" + FreePort.findAdjacent(2))) {
            return hurt(suite, proxies, schedule);
        }
    }

    private List<Violation> hurt(LaunchedSuite suite, FaultProxies proxies, List<Fault> schedule) throws Exception {
        var gateways = Cast.GATEWAYS.stream().map(suite.services()::get).toList();
        var keys = keys(suite);
        suite.awaitReady();
        var offers = awaitOffers(gateways, keys);
        report.say("offers: " + offers);
        var load = new FaultLoad(keys, gateways, MODEL, offers);
        load.start(Integer.getInteger("callers", 8), seed);
        var injector = new Injector(suite, proxies, report::say);
        injector.run(schedule);
        if (schedule.isEmpty()) {
            TimeUnit.NANOSECONDS.sleep(length.toNanos());
        }
        report.say("the last fault is over");
        var violations = awaitBack(suite);
        var heard = load.stop(CALLERS_MAX);
        report.say("callers are answered");
        var evidence = settle(suite, heard);
        violations.addAll(evidence.checkLogs());
        if (schedule.isEmpty()) {
            violations.addAll(evidence.checkCalm());
        }
        violations.addAll(patiently(() -> evidence.checkTables(new FinalTables(suite)), SETTLED_WITHIN));
        violations.addAll(readAgain(new ReplicaCheck(gateways, keys), heard, offers));
        report.end(evidence, injector, violations);
        return violations;
    }

    private static FaultLoad.Keys keys(LaunchedSuite suite) {
        var tenant = OptedInTenant.create(suite);
        return new FaultLoad.Keys(
                new Http(tenant.key("\"reasoning:summary\"").secret()),
                new Http(tenant.key("\"reasoning:summary\",\"reasoning:raw\"").secret()));
    }

    /// A gateway that is ready may not have heard of a worker yet.
    private static Offers awaitOffers(List<URI> gateways, FaultLoad.Keys keys)
            throws IOException, InterruptedException {
        for (var gateway : gateways) {
            for (int attempt = 0; attempt < 100; attempt++) {
                if (keys.summary()
                        .get(gateway.resolve("/v1/models"), Duration.ofSeconds(5))
                        .body()
                        .contains(MODEL)) {
                    break;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS / 5);
            }
        }
        return Offers.find(gateways.getFirst(), keys.summary(), MODEL);
    }

    /// Nobody restarts anything but the launcher.
    private static List<Violation> awaitBack(LaunchedSuite suite) throws InterruptedException {
        long until = System.nanoTime() + BACK_WITHIN.toNanos();
        var violations = new ArrayList<Violation>();
        for (var service : Cast.SERVICES) {
            while (!suite.isReady(service) && System.nanoTime() < until) {
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            }
            if (!suite.isReady(service)) {
                violations.add(new Violation("services come back", service, "not ready after " + BACK_WITHIN));
            }
        }
        return violations;
    }

    /// Waits until everything accepted has ended, and opens all logs.
    private static Evidence settle(LaunchedSuite suite, Collection<HeardAnswer> heard) throws InterruptedException {
        long until = System.nanoTime() + ENDED_WITHIN.toNanos();
        try (var tail = new LogTail(suite.kafka())) {
            var readings = readings(tail);
            while (readings.values().stream().anyMatch(reading -> reading.ending() == null)
                    && System.nanoTime() < until) {
                TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
                readings = readings(tail);
            }
            var opener = new LogOpener(suite.folder().resolve("secrets/sealing"));
            var logs = new HashMap<String, Told>();
            readings.forEach((id, reading) -> logs.put(id.toString(), opener.open(id, reading)));
            return new Evidence(heard, logs);
        }
    }

    /// A withdrawn request may have left its end alone in the log.
    private static Map<ResponseId, LogReading> readings(LogTail tail) {
        var readings = new HashMap<ResponseId, LogReading>();
        tail.read().forEach((id, frames) -> {
            var reading = LogReading.of(frames);
            if (reading.accepted() != null) {
                readings.put(id, reading);
            }
        });
        return readings;
    }

    /// Looks again while something is wrong: rows and records follow the log.
    private static List<Violation> patiently(Supplier<List<Violation>> check, Duration limit)
            throws InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        var violations = check.get();
        while (!violations.isEmpty() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            violations = check.get();
        }
        return violations;
    }

    private static List<Violation> readAgain(ReplicaCheck check, Collection<HeardAnswer> heard, Offers offers)
            throws InterruptedException {
        var violations = new ArrayList<Violation>();
        for (var one :
                heard.stream().filter(ReplicaCheck::covers).limit(REPLAYS_MAX).toList()) {
            violations.addAll(check.check(one, offers.replay()));
        }
        return violations;
    }
}
