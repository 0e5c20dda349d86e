package dev.counterpoint.local;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.RepositoryRoot;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The whole suite as `up` starts it, in a folder of the test's own: its parts, their restarts, its
/// secrets.
public final class LaunchedSuite implements AutoCloseable {
    /// For the environment of services that live for minutes: less is compiled, as in the JVMs of tests.
    public static final Map<String, String> SHORT_LIVED =
            Map.of("JAVA_TOOL_OPTIONS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");

    private static final Duration READY_MAX = Duration.ofSeconds(90);

    private final StateFolder state;
    private final List<SuitePart> parts;
    private final Map<String, String> exports;
    private final Supervisor supervisor;
    private final PrintStream out;
    private final Thread stopAtExit;
    private final HttpClient http = HttpClient.newHttpClient();

    private LaunchedSuite(
            StateFolder state,
            List<List<SuitePart>> tiers,
            Map<String, String> exports,
            Supervisor supervisor,
            PrintStream out) {
        this.state = state;
        this.parts = tiers.stream().flatMap(List::stream).toList();
        this.exports = exports;
        this.supervisor = supervisor;
        this.out = out;
        this.stopAtExit = new Thread(supervisor::stop, "stop");
    }

    /// @param folder takes the place of `.state`
    /// @param options as `up` takes them; the port is chosen here, the engine is the simulated one unless
    ///     they say another
    public static LaunchedSuite start(Path folder, String... options) {
        return start(folder, SuiteWiring.DIRECT, options);
    }

    /// The same with something between its parts.
    public static LaunchedSuite start(Path folder, SuiteWiring wiring, String... options) {
        var all = new ArrayList<>(List.of("--engine", "simulated", "--port", String.valueOf(FreePort.find())));
        all.addAll(List.of(options));
        var state = StateFolder.in(folder);
        var secrets = LocalSecrets.of(state);
        RootKeysetSetup.ensure(RepositoryRoot.find(), state);
        var suite = new Suite(RepositoryRoot.find(), state, Options.parse(all.toArray(String[]::new)), secrets, wiring);
        var tiers = suite.tiers();
        tiers.stream().flatMap(List::stream).forEach(part -> state.rotate(part.name()));
        try {
            var out = new PrintStream(Files.newOutputStream(state.log("up")), true, StandardCharsets.UTF_8);
            var supervisor = new Supervisor(tiers, new ProcessRegistry(state.processes()), out);
            var exports = suite.environment().exports(suite.gatewayUrl(), suite.auditUrl());
            EnvironmentFile.write(state.environment(), exports);
            var launched = new LaunchedSuite(state, tiers, exports, supervisor, out);
            Runtime.getRuntime().addShutdownHook(launched.stopAtExit);
            supervisor.start();
            return launched;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// What `.state/env` exports, such as `COUNTERPOINT_API_KEY`.
    public String export(String name) {
        var value = exports.get(name);
        if (value == null) {
            throw new IllegalArgumentException("nothing exports " + name);
        }
        return value;
    }

    public URI gateway() {
        return URI.create(export("COUNTERPOINT_URL"));
    }

    public Path folder() {
        return state.folder();
    }

    public Path kafkaData() {
        return state.kafka();
    }

    public Path postgresData() {
        return state.postgres();
    }

    public Path temporary() {
        return state.temporary();
    }

    public Path logs() {
        return state.logs();
    }

    /// Clients that may do everything on its brokers.
    public KafkaClients kafka() {
        var brokers = parts.stream()
                .filter(part -> part.name().startsWith("kafka"))
                .map(SuitePart::address)
                .collect(Collectors.joining(","));
        return state.administrator(brokers);
    }

    /// JDBC URL of one database; the user is `postgres`.
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://" + part("postgres").address() + "/" + database;
    }

    public String postgresPassword() {
        return LocalSecrets.of(state).postgresPassword();
    }

    /// Every part by name, with `host:port` or URL.
    public Map<String, String> addresses() {
        var addresses = new LinkedHashMap<String, String>();
        parts.forEach(part -> addresses.put(part.name(), part.address()));
        return addresses;
    }

    /// The parts that answer HTTP.
    public Map<String, URI> services() {
        var services = new LinkedHashMap<String, URI>();
        addresses().forEach((name, address) -> {
            if (address.startsWith("http")) {
                services.put(name, URI.create(address));
            }
        });
        return services;
    }

    private SuitePart part(String name) {
        return parts.stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// The process that runs under this name now.
    public ProcessHandle process(String name) {
        return running(name).orElseThrow(() -> new IllegalStateException(name + " does not run"));
    }

    /// The same, empty between two runs of it.
    public Optional<ProcessHandle> running(String name) {
        try {
            return Files.readAllLines(state.processes()).stream()
                    .map(line -> line.split(" "))
                    .filter(fields -> fields[0].equals(name))
                    .flatMap(fields -> ProcessHandle.of(Long.parseLong(fields[1])).stream())
                    .findFirst();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// `kill -9`; the launcher starts it again.
    public void kill(String name) {
        var process = process(name);
        process.destroyForcibly();
        process.onExit().join();
    }

    /// What `up` prints when everything has started.
    public String summary() {
        var model = StartupSummary.awaitModel(exports);
        return new StartupSummary(
                        exports,
                        model,
                        StartupSummary.limits(exports),
                        state.logs().toString(),
                        state.environment().toString(),
                        "close")
                .text();
    }

    /// Waits until every service says that it is ready, those included that were killed before.
    public void awaitReady() {
        services().forEach((name, address) -> awaitReady(name));
    }

    /// Waits until a service says that it is ready, after a kill.
    public void awaitReady(String name) {
        long until = System.nanoTime() + READY_MAX.toNanos();
        while (!isReady(name)) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(name + " is not ready after " + READY_MAX + "; see " + state.logs());
            }
            pause();
        }
    }

    /// Whether a service says now that it is ready.
    public boolean isReady(String name) {
        var health = URI.create(part(name).address()).resolve("/q/health/ready");
        return answers(
                HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(5)).build());
    }

    private boolean answers(HttpRequest request) {
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        supervisor.stop();
        out.close();
        Runtime.getRuntime().removeShutdownHook(stopAtExit);
        http.close();
    }
}
