package dev.counterpoint.local;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.PostgresServer;
import dev.counterpoint.infra.RepositoryRoot;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Starts the suite and keeps it running until it is told to stop (SIGTERM). The script `up` builds, then runs
/// this.
///
/// Exit status: 0 stopped as asked, or was running already; 1 could not start; 2 wrong options.
public final class Up {
    private final Path repository;
    private final StateFolder state;
    private final List<String> arguments;
    private final Options options;
    private final LocalServers servers;
    private final PrintStream out;

    /// @param servers of this machine that matter to the choice of the engine
    private Up(Path repository, List<String> arguments, LocalServers servers, PrintStream out) {
        this.repository = repository;
        // Another folder: a suite beside the one that a person uses, as the benchmark's.
        var folder = System.getenv().getOrDefault("COUNTERPOINT_STATE", "deploy/local/.state");
        this.state = StateFolder.in(repository.resolve(folder));
        this.arguments = arguments;
        this.options = Options.parse(arguments.toArray(String[]::new));
        this.servers = servers;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(Options.refusal(wrong));
            System.exit(2);
            return;
        }
        var servers =
                options.isAuto() ? LocalServers.look(LocalServers.USUAL, LocalServers.TIME_MAX) : LocalServers.NONE;
        System.exit(new Up(RepositoryRoot.find(), List.of(arguments), servers, System.out).run());
    }

    private int run() throws Exception {
        try (var channel = FileChannel.open(state.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Optional<FileLock> lock = Optional.ofNullable(lock(channel));
            if (lock.isEmpty()) {
                return runsAlready();
            }
            List<String> refusals = refusals();
            if (!refusals.isEmpty()) {
                refusals.forEach(System.err::println);
                System.err.print(servers.text(options, freePort()));
                return 1;
            }
            var chosen = options.isAuto() ? withEngine() : this;
            if (options.detach()) {
                lock.get().release();
                return chosen.detach();
            }
            return chosen.supervise();
        }
    }

    /// The same with the engine that `auto` stands for.
    private Up withEngine() {
        var engine = AutomaticEngine.choose(servers, () -> FetchModel.find(out));
        out.println(engine.text());
        var all = Stream.concat(arguments.stream(), engine.arguments().stream()).toList();
        return new Up(repository, all, servers, out);
    }

    /// The launcher's output is a log, so the keys are printed here.
    private int detach() throws IOException, InterruptedException {
        int status = new DetachedLauncher(state, out).start(arguments);
        if (status == 0) {
            var exports = EnvironmentFile.read(state.environment());
            out.print(summary(exports, awaitModel(exports)).text());
            out.print(ServiceReadiness.text(readiness()));
            out.print(servers.text(options, options.port()));
        }
        return status;
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        return channel.tryLock();
    }

    /// Asking twice for the same is no error.
    private int runsAlready() {
        if (!state.ready().toFile().exists()) {
            out.println("Counterpoint is being started already; its log is " + state.log("up"));
            return 0;
        }
        Map<String, String> exports = EnvironmentFile.read(state.environment());
        if (!Options.agree(arguments, startArguments())) {
            System.err.println("Counterpoint runs already, at " + exports.get("COUNTERPOINT_URL")
                    + ", and was started with other options; to change them, run ./deploy/local/down first.");
            return 1;
        }
        out.println("Counterpoint runs already, at " + exports.get("COUNTERPOINT_URL"));
        out.print(summary(exports, StartupSummary.firstModel(exports, StartupSummary.ANY_MODEL))
                .text());
        out.print(ServiceReadiness.text(readiness()));
        return 0;
    }

    private List<String> startArguments() {
        try {
            return Files.readAllLines(state.ready());
        } catch (IOException stopped) {
            return arguments;
        }
    }

    /// Everything that would make the start fail and can be known before.
    private List<String> refusals() {
        List<Path> missing = Suite.missing(repository);
        if (!missing.isEmpty()) {
            return missing.stream()
                    .map(jar -> "Not built: " + repository.relativize(jar)
                            + " is missing; ./deploy/local/up builds it, or ./mvnw package -DskipTests")
                    .toList();
        }
        stopLeftovers();
        var secrets = StartCheck.secrets(state);
        var ports = IntStream.range(options.port(), options.port() + options.gateways());
        return secrets.isEmpty()
                ? StartCheck.ports(
                        ports, FreePort::isFree, port -> servers.at(port).orElse("another program"))
                : secrets;
    }

    private int freePort() {
        return IntStream.range(options.port(), 65_536 - options.gateways())
                .filter(first ->
                        IntStream.range(first, first + options.gateways()).allMatch(FreePort::isFree))
                .findFirst()
                .orElse(options.port());
    }

    /// Of a launcher that was killed: its children live on.
    private void stopLeftovers() {
        // By its own fast way; the plain SIGTERM of the others would make it wait for its clients.
        PostgresServer.stopLeftover(state.postgres());
        List<String> stopped = new ProcessRegistry(state.processes()).stopLeftovers();
        if (!stopped.isEmpty()) {
            out.println("An earlier start was killed; stopped what it left: " + String.join(", ", stopped));
        }
        StateFolder.delete(state.ready());
        StateFolder.delete(state.pid());
    }

    private int supervise() throws InterruptedException {
        long pid = ProcessHandle.current().pid();
        StateFolder.write(state.pid(), pid + "\n");
        var suite = new Suite(repository, state, options, LocalSecrets.of(state));
        try {
            RootKeysetSetup.ensure(repository, state);
        } catch (IllegalStateException failure) {
            System.err.println("The audit service's root keyset cannot be made: " + failure.getMessage());
            return 1;
        }
        suite.openConsole();
        var tiers = suite.tiers();
        tiers.stream().flatMap(List::stream).forEach(part -> state.rotate(part.name()));
        var supervisor = new Supervisor(tiers, new ProcessRegistry(state.processes()), out);
        var stopped = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopOnce(supervisor, stopped), "stop"));
        out.println("Starting Counterpoint (engine " + options.engine() + ", gateways " + options.gateways()
                + ", workers " + options.workers() + ")");
        StartCheck.of(state.folder()).warnings().forEach(warning -> out.println("  " + warning));
        try {
            supervisor.start();
        } catch (IllegalStateException failure) {
            System.err.println("\nCounterpoint did not start: " + failure.getMessage());
            return 1;
        }
        Map<String, String> exports = suite.exports();
        EnvironmentFile.write(state.environment(), exports);
        var summary = summary(exports, awaitModel(exports));
        out.print(
                Boolean.getBoolean(DetachedLauncher.TO_LOG)
                        ? summary.logText()
                        : summary.text() + ServiceReadiness.text(readiness()) + servers.text(options, options.port()));
        out.flush();
        StateFolder.write(state.ready(), String.join("\n", arguments));
        // Until SIGTERM, which the shutdown hook answers.
        new CountDownLatch(1).await();
        return 0;
    }

    private Optional<StartupSummary.Model> awaitModel(Map<String, String> exports) {
        return StartupSummary.awaitModel(
                exports,
                options.servedModel()::equals,
                () -> readiness().values().stream().anyMatch(ServiceReadiness::examinesEngine));
    }

    private Map<String, ServiceReadiness> readiness() {
        var answers = new LinkedHashMap<String, ServiceReadiness>();
        Suite.readiness(state, options)
                .forEach((name, address) ->
                        ServiceReadiness.ask(address).ifPresent(answer -> answers.put(name, answer)));
        return answers;
    }

    private StartupSummary summary(Map<String, String> exports, Optional<StartupSummary.Model> model) {
        var limits = StartupSummary.limits(exports);
        return new StartupSummary(
                exports,
                model,
                limits,
                state.logs().toString(),
                state.environment().toString(),
                "./deploy/local/down, or Ctrl-C where it was started");
    }

    private void stopOnce(Supervisor supervisor, AtomicBoolean stopped) {
        if (stopped.getAndSet(true)) {
            return;
        }
        boolean asked = state.ready().toFile().exists();
        StateFolder.delete(state.ready());
        out.println("Stopping Counterpoint ...");
        supervisor.stop();
        StateFolder.delete(state.pid());
        out.println("Stopped.");
        out.flush();
        if (asked) {
            // Else the JVM would report SIGTERM as a failure.
            Runtime.getRuntime().halt(0);
        }
    }
}
