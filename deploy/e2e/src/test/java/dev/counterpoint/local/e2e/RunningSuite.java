package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.testkit.TestAccounts;
import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.RepositoryRoot;
import dev.counterpoint.infra.StartupCache;
import dev.counterpoint.testkit.ServiceDatabase;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/// The suite as separate processes over a real broker and a real database, to be asked, killed and frozen by tests.
final class RunningSuite implements AutoCloseable {
    static final String SUMMARY_KEY = "cp-" + "s".repeat(43);
    static final String RAW_KEY = "cp-" + "r".repeat(43);
    /// Of another tenant than the other two.
    static final String OTHER_KEY = "cp-" + "o".repeat(43);
    static final String ADMIN_TOKEN = "admin-token-of-the-tests";
    static final String MODEL = "counterpoint-simulated";
    private static final Duration START_MAX = Duration.ofSeconds(240);

    final TestKafka kafka;
    final TestPostgres postgres = TestPostgres.start();
    private final ServiceDatabase database = postgres.newDatabase(DatabaseRoles.GATEWAY);
    private final Path folder;
    private final List<ChildProcess> started = new ArrayList<>();
    private final int gatewayPort = FreePort.find();
    private int count;

    RunningSuite(Path folder) throws IOException {
        this(folder, TestKafka.start());
    }

    /// @param kafka closed with this
    RunningSuite(Path folder, TestKafka kafka) throws IOException {
        this.folder = folder;
        this.kafka = kafka;
        GenerateKeys.into(folder.resolve("keys"));
        TestAccounts.join(folder.resolve("keys"), kafka.bootstrapServers(), TestKafka.adminLogin());
        Files.writeString(
                folder.resolve("api-keys"),
                "local " + SUMMARY_KEY + " reasoning:summary\nlocal " + RAW_KEY
                        + " reasoning:summary,reasoning:raw\nother " + OTHER_KEY + " reasoning:summary\n");
    }

    /// Starts the gateway, or starts it again on its old port.
    Service startGateway() {
        return startGateway(Map.of());
    }

    /// Starts it with settings of its own.
    Service startGateway(Map<String, String> settings) {
        return startGateway(gatewayPort, settings);
    }

    /// Starts one more gateway beside it.
    Service startReplica(Map<String, String> settings) {
        return startGateway(FreePort.find(), settings);
    }

    private Service startGateway(int port, Map<String, String> settings) {
        var environment = common(port);
        // Tests ask more than a tenant usually may.
        environment.put("GATEWAY_NEW_TENANT_REQUESTS_PER_MINUTE", "");
        environment.put("GATEWAY_NEW_TENANT_CONCURRENT_STREAMS", "");
        environment.putAll(settings);
        database.settings().forEach((name, value) -> {
            if (name.startsWith("quarkus.")) {
                environment.put(name.replaceAll("[^a-z]", "_").toUpperCase(Locale.ROOT), value);
            }
        });
        environment.put("GATEWAY_ADMIN_TOKEN", ADMIN_TOKEN);
        environment.put(
                "GATEWAY_BOOTSTRAP_KEYS_FILE", folder.resolve("api-keys").toString());
        return launch("gateway-service", port, environment);
    }

    /// Starts a worker whose engine takes this long for each token.
    Service startWorker(Duration perToken) {
        var time = perToken.toMillis() + "ms";
        return startWorker(Map.of("WORKER_SIMULATED_FIRST_TOKEN_TIME", time, "WORKER_SIMULATED_PER_TOKEN_TIME", time));
    }

    /// Starts a worker with settings of its own.
    Service startWorker(Map<String, String> settings) {
        int port = FreePort.find();
        var environment = common(port);
        environment.putAll(settings);
        return launch("inference-worker", port, environment);
    }

    Service startSummarizer() {
        int port = FreePort.find();
        return launch("summarizer-service", port, common(port));
    }

    private Map<String, String> common(int port) {
        var environment = new HashMap<String, String>();
        environment.put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
        environment.put("COUNTERPOINT_KEYS_DIR", folder.resolve("keys").toString());
        environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        return environment;
    }

    private Service launch(String service, int port, Map<String, String> environment) {
        var jar = RepositoryRoot.find().resolve(service + "/target/quarkus-app/quarkus-run.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(service + " is not built: run ./mvnw package first");
        }
        var log = folder.resolve(service + "-" + count++ + ".log");
        var arguments = new ArrayList<>(List.of(
                "-Xmx256m",
                // Less work at a start, of which these tests have many; as `up` starts its quiet services.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash"));
        arguments.addAll(StartupCache.SERVICE_FLAGS);
        arguments.addAll(StartupCache.of(jar).reading());
        arguments.addAll(List.of("-jar", jar.toString()));
        var process = ProcessSpec.java(service, log, arguments.toArray(String[]::new))
                .with(environment)
                .start();
        started.add(process);
        return new Service(process, port);
    }

    /// One process of the suite.
    record Service(ChildProcess process, int port) {
        /// Waits until it takes work.
        Service ready() {
            process.awaitHttp(URI.create("http://127.0.0.1:" + port + "/q/health/ready"), 200, START_MAX);
            return this;
        }

        /// The value of one of its metrics, all labels together.
        double metric(String name) {
            try (var metrics = URI.create("http://127.0.0.1:" + port + "/q/metrics")
                    .toURL()
                    .openStream()) {
                return new String(metrics.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith(name))
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// A client with one of the two keys.
    ApiClient client(String key) {
        return new ApiClient(URI.create("http://127.0.0.1:" + gatewayPort), key);
    }

    /// A client of one of several gateways.
    ApiClient client(Service gateway, String key) {
        return new ApiClient(URI.create("http://127.0.0.1:" + gateway.port()), key);
    }

    @Override
    public void close() {
        started.forEach(ChildProcess::close);
        kafka.close();
        postgres.close();
    }
}
