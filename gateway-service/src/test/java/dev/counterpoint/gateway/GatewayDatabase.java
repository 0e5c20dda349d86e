package dev.counterpoint.gateway;

import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A gateway with a database of its own and no bus: what tests of the door, the errors and the rows need.
public final class GatewayDatabase implements QuarkusTestResourceLifecycleManager {
    public static final String ADMIN_TOKEN = "admin-token-of-the-tests";
    /// In force from the start on, by the bootstrap file.
    public static final String BOOTSTRAP_KEY = "cp-bootstrap-key-of-the-tests-0123456789";

    public static final String BOOTSTRAP_TENANT = "bootstrapped";

    /// The project that keys of a tenant share when they name none.
    public static Owner defaultProject(String tenant) {
        return new Owner(tenant, "default");
    }

    @Override
    public Map<String, String> start() {
        var settings = new HashMap<>(settings());
        settings.putAll(TestPostgres.shared().newDatabase(DatabaseRoles.GATEWAY).settings());
        return settings;
    }

    @Override
    public void stop() {
        // The database goes with its server.
    }

    /// Everything but the database.
    public static Map<String, String> settings() {
        try {
            var folder = Files.createTempDirectory("gateway-test");
            folder.toFile().deleteOnExit();
            var keys = folder.resolve("keys");
            GenerateKeys.into(keys);
            ProvisionBus.accounts(keys);
            return Map.ofEntries(
                    Map.entry("quarkus.http.test-port", "0"),
                    Map.entry("gateway.admin-token", ADMIN_TOKEN),
                    Map.entry("gateway.console", "true"),
                    Map.entry(
                            "gateway.bootstrap-keys-file", bootstrapFile(folder).toString()),
                    Map.entry("gateway.body-bytes-max", "65536"),
                    Map.entry("gateway.key-cache-ttl", "0s"),
                    Map.entry("gateway.keep-alive", "100ms"),
                    Map.entry("gateway.drain-timeout", "2s"),
                    Map.entry("gateway.stream.keys-dir", keys.toString()),
                    Map.entry("kafka.bootstrap.servers", "127.0.0.1:1"),
                    Map.entry("gateway.prompts", prompts(folder).toString()),
                    Map.entry("gateway.idempotency-patience", "5s"),
                    Map.entry("gateway.webhook-addresses", "127.0.0.1/32"),
                    Map.entry("gateway.webhook-plain-http", "true"),
                    Map.entry("gateway.webhook-timeout", "1s"),
                    Map.entry("gateway.new-tenant-requests-per-minute", ""),
                    Map.entry("gateway.new-tenant-concurrent-streams", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One prompt, `greet`.
    private static Path prompts(Path folder) throws IOException {
        var prompts = folder.resolve("prompts");
        var greet = Files.createDirectories(prompts.resolve("greet"));
        Files.writeString(greet.resolve("1.json"), """
                {"messages":[{"role":"developer","content":"Be kind."}]}""");
        return prompts;
    }

    private static Path bootstrapFile(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("bootstrap-keys"),
                "# made by the tests\n%s %s reasoning:summary\n".formatted(BOOTSTRAP_TENANT, BOOTSTRAP_KEY));
    }
}
