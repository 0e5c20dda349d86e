package dev.counterpoint.bench;

import dev.counterpoint.bench.LoadTarget.Api;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/// Measures the suite beside its upstream and other gateways, by turns, in one run. `deploy/perf/run compare` starts it
/// in the
/// repository's root.
public final class Bench {
    private static final Duration WARM = Duration.ofSeconds(2);
    private static final Duration WARM_UP_OTHERS = Duration.ofSeconds(3);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final int WARM_UP_STREAMS = 32;
    private static final int BURST = 16;
    private static final Duration BURST_WITHIN = Duration.ofMillis(300);
    private static final int READY_SECONDS_MAX = 60;

    /// A target, and what its processes and their threads have used until now.
    private record Measured(
            LoadTarget target, Supplier<Map<String, ProcessUse>> use, Supplier<Map<String, ThreadUse>> threads) {}

    private final BenchOptions options;
    private final Pace pace;
    private final Path folder;
    private final List<AutoCloseable> started = new ArrayList<>();
    private final List<Measured> targets = new ArrayList<>();
    private final List<BenchCell> cells = new ArrayList<>();

    private Bench(BenchOptions options, Pace pace, Path folder) {
        this.options = options;
        this.pace = pace;
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.print(BenchOptions.USAGE);
            return;
        }
        BenchOptions options;
        try {
            options = BenchOptions.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "\n\n" + BenchOptions.USAGE.stripTrailing());
            System.exit(2);
            return;
        }
        var target = Files.createDirectories(Path.of("deploy/perf/target"));
        var bench = new Bench(
                options,
                Pace.fromProperties(),
                Files.createTempDirectory(target, "run-").toAbsolutePath());
        try {
            bench.run();
        } finally {
            for (var each : bench.started.reversed()) {
                each.close();
            }
        }
        BenchSuite.delete(bench.folder);
        // Pooled threads of closed connections would only delay the end.
        System.exit(0);
    }

    private void run() throws IOException {
        long begun = System.nanoTime();
        int port = StartedProgram.freePort();
        var upstream = startUpstream(port);
        var bare = URI.create("http://127.0.0.1:" + port + "/v1");
        targets.add(new Measured(new LoadTarget("upstream", bare, Api.CHAT, Map.of()), Map::of, Map::of));
        startOthers(port);
        say("starting the suite");
        var suite = BenchSuite.start(folder, bare.toString(), options.slots());
        started.add(suite);
        suite.targets().forEach(target -> targets.add(new Measured(target, suite::use, suite::threads)));
        targets.forEach(this::warmUp);
        for (var schedule : schedules()) {
            for (var target : targets) {
                cells.add(measure(target, schedule, upstream));
            }
        }
        var agents = options.agents() ? agents() : List.<AgentRun.Turns>of();
        say("idle");
        sleep(SETTLE);
        var before = suite.use();
        sleep(IDLE);
        var results = new BenchResults(
                pace, options, cells, agents, since(before, suite.use(), ProcessUse::since), IDLE.toSeconds());
        results.write();
        System.out.println(results.table());
        say("written to %s; took %d s".formatted(options.output(), (System.nanoTime() - begun) / 1_000_000_000));
    }

    private ProcessHandle startUpstream(int port) {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + System.getProperty("perf.launch"),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Dtokens=" + pace.tokens(),
                "-Dpace=" + pace.gap().toMillis(),
                PacedUpstream.class.getName(),
                Integer.toString(port));
        var upstream = StartedProgram.start("upstream", command, Map.of(), folder);
        started.add(upstream);
        upstream.await(() -> upstream.hasSaid("listening"), READY_SECONDS_MAX);
        return upstream.process();
    }

    private void startOthers(int upstream) {
        var installed = Path.of("deploy/perf/target/peers").toAbsolutePath();
        for (var other : OtherGateway.all(installed, upstream, folder, options.peers())) {
            if (!other.isInstalled()) {
                say(other.name() + " is not installed, left out");
                continue;
            }
            var program = other.start(folder);
            started.add(program);
            try {
                program.await(() -> answers(other.target()), READY_SECONDS_MAX);
            } catch (IllegalStateException failure) {
                say(failure.getMessage() + "; left out");
                continue;
            }
            targets.add(new Measured(
                    other.target(), () -> Map.of(other.name(), ProcessUse.ofTree(program.process())), Map::of));
        }
    }

    private static boolean answers(LoadTarget target) {
        try (var connection = new RawConnection(target.address(), 5000)) {
            return RawConnection.isOk(connection.send(target.request(LoadRun.MODEL, Pace.fromProperties(), 0)));
        } catch (IOException notYet) {
            return false;
        }
    }

    private void warmUp(Measured target) {
        say("warming up " + target.target());
        var time = target.target().name().startsWith("suite") ? options.warmUp() : WARM_UP_OTHERS;
        var schedule = ArrivalSchedule.steady(WARM_UP_STREAMS, pace, Duration.ZERO, time);
        new LoadRun(target.target(), schedule).run(LoadRun.UNWATCHED);
    }

    private List<ArrivalSchedule> schedules() {
        var schedules = new ArrayList<ArrivalSchedule>();
        for (int streams : options.streams()) {
            for (int tokens : options.answers()) {
                schedules.add(steady(streams, new Pace(tokens, pace.gap())));
            }
            if (streams == BURST) {
                schedules.add(ArrivalSchedule.bursts(streams, pace, BURST_WITHIN));
                schedules.add(ArrivalSchedule.bursts(streams, pace, Duration.ZERO));
            }
        }
        return schedules;
    }

    /// Measured once as many streams are open as shall be.
    private ArrivalSchedule steady(int streams, Pace answer) {
        var measured = streams == 1 ? options.measured().multipliedBy(2) : options.measured();
        var warm = answer.answer().compareTo(WARM) > 0 ? answer.answer() : WARM;
        return ArrivalSchedule.steady(streams, answer, warm, measured);
    }

    private List<AgentRun.Turns> agents() throws IOException {
        var turns = new ArrayList<AgentRun.Turns>();
        for (var measured : targets) {
            if (measured.target().api() == Api.CHAT) {
                say("an agent: " + measured.target());
                turns.add(new AgentRun(measured.target(), measured.use()).run());
            }
        }
        return turns;
    }

    private BenchCell measure(Measured target, ArrivalSchedule schedule, ProcessHandle upstream) {
        say(schedule.label() + ": " + target.target());
        var window = new CostWindow(target.use(), target.threads(), upstream);
        var heard = new LoadRun(target.target(), schedule).run(window);
        if (heard.endings().unfinished() > 0) {
            sleep(SETTLE); // what was given up must not burden the next one
        }
        return window.cell(target.target().name(), schedule, heard);
    }

    /// What each has used between two looks.
    ///
    /// @param since of the later one and the earlier one
    static <T> Map<String, T> since(Map<String, T> before, Map<String, T> after, BinaryOperator<T> since) {
        var all = new LinkedHashMap<String, T>();
        after.forEach((name, use) -> all.put(name, since.apply(use, before.getOrDefault(name, use))));
        return all;
    }

    private static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void say(String text) {
        System.err.println(text);
    }
}
