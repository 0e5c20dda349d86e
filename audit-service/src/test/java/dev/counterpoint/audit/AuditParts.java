package dev.counterpoint.audit;

import dev.counterpoint.audit.keys.TestKeysets;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.testkit.TestAccounts;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.LocalIssuer;
import dev.counterpoint.testkit.ServiceDatabase;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A broker, a database server, keys and an issuer of tokens for one audit service; its test may kill them.
public final class AuditParts implements QuarkusTestResourceLifecycleManager {
    /// API keys whose records have the classes of retention `kept` (30 to 60 days) and `brief` (up to a day).
    public static final String KEPT_KEY = "key_kept";

    public static final String BRIEF_KEY = "key_brief";

    private final TestKafka kafka = TestKafka.start();
    private final TestPostgres postgres = TestPostgres.start();
    private @Nullable LocalIssuer issuer;

    @Override
    public Map<String, String> start() {
        try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
            new Topics(admin).ensureShared(1);
        }
        var settings = settings(kafka.bootstrapServers(), postgres.newDatabase(DatabaseRoles.AUDIT));
        int port = FreePort.find();
        var key = Base64.getDecoder().decode(settings.get("test.issuer-key"));
        issuer = ConsoleBrowser.issuer(key, StaffClient.root(port));
        settings.putAll(ConsoleBrowser.settings(issuer, port));
        return settings;
    }

    /// The settings of the service, and what its tests need to act as gateway, worker and issuer.
    public static Map<String, String> settings(String kafka, ServiceDatabase database) {
        try {
            var folder = Files.createTempDirectory("audit-test");
            var keys = folder.resolve("sealing");
            GenerateKeys.into(keys);
            TestAccounts.join(keys, kafka, TestKafka.adminLogin());
            Path passphrase = TestKeysets.passphrase(folder.resolve("passphrase"));
            Path keyset = TestKeysets.create(folder.resolve("root-keyset.json"), passphrase);
            var settings = new HashMap<String, String>();
            settings.put("quarkus.http.test-port", "0");
            settings.putAll(database.settings());
            settings.put("kafka.bootstrap.servers", kafka);
            settings.put("audit.keys-dir", keys.toString());
            settings.put("audit.root-keyset-file", keyset.toString());
            settings.put("audit.root-passphrase-file", passphrase.toString());
            settings.put("audit.retention-classes", "kept=30d..60d,brief=0s..1d");
            settings.put("audit.retention-keys", KEPT_KEY + "=kept," + BRIEF_KEY + "=brief");
            settings.putAll(Tokens.create().settings());
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void inject(Object test) {
        StaffClient.awaitReady();
        if (test instanceof NeedsServers needs) {
            needs.accept(kafka, postgres);
        }
        if (test instanceof NeedsIssuer needs) {
            needs.accept(Objects.requireNonNull(issuer));
        }
    }

    @Override
    public void stop() {
        Objects.requireNonNull(issuer).close();
        kafka.close();
        postgres.close();
    }

    /// A test that signs people out at their issuer.
    public interface NeedsIssuer {
        void accept(LocalIssuer issuer);
    }

    /// A test that wants the servers themselves.
    public interface NeedsServers {
        void accept(TestKafka kafka, TestPostgres postgres);
    }
}
