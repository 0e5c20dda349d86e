package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.audit.keys.TestToken;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.ServiceDatabase;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A deployment moves its root key from a file to a token; afterwards the file is not needed.
@Timeout(300)
@Tag("nightly")
class RootMovedIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Asked alice = Asked.of("acme", "alice");
    private final Asked bob = Asked.of("acme", "bob");
    private final Asked carol = Asked.of("acme", "carol");

    @Test
    void aTokenTakesOverFromTheKeysetFile() throws Exception {
        var token = TestToken.create(folder).withKey("root one");
        try (var kafka = TestKafka.start()) {
            var database = TestPostgres.shared().newDatabase(DatabaseRoles.AUDIT);
            try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
                new Topics(admin).ensureShared(1);
            }
            var settings = new HashMap<>(AuditParts.settings(kafka.bootstrapServers(), database));
            var receipt = new String[1];
            try (var bus = new TestBus(Path.of(settings.get("audit.keys-dir")), kafka.bootstrapServers())) {
                // Given
                KilledIT.run(settings, folder.resolve("audit-1.log"), staff -> {
                    bus.append(bus.whole(alice, "a thought of alice"));
                    bus.append(bus.whole(bob, "a thought of bob"));
                    await("both are stored", () -> read(staff, alice) == 200 && read(staff, bob) == 200);
                    receipt[0] = staff.erase("acme", "bob").json().path("id").asText();
                });
                // When
                settings.put("audit.root-key-service", "pkcs11");
                settings.put("audit.root-pkcs11-config", token.configuration().toString());
                settings.put("audit.root-pkcs11-pin-file", token.pin().toString());
                settings.put("audit.root-pkcs11-keys", "root one");
                settings.put("SOFTHSM2_CONF", System.getenv("SOFTHSM2_CONF"));
                KilledIT.run(settings, folder.resolve("audit-2.log"), staff -> {
                    await("everything is wrapped by the token", () -> wrappedByTheTokenAlone(staff));
                    assertThat(read(staff, alice)).isEqualTo(200);
                });
                Files.delete(Path.of(settings.get("audit.root-keyset-file")));
                settings.remove("audit.root-passphrase-file");
                try (var connection = connect(database);
                        var statement = connection.createStatement()) {
                    statement.execute("delete from erasure"); // a database from before it
                }
                // Then
                KilledIT.run(settings, folder.resolve("audit-3.log"), staff -> {
                    assertThat(read(staff, alice)).isEqualTo(200);
                    assertThat(read(staff, bob)).isEqualTo(410);
                    bus.append(bus.whole(carol, "a thought of carol"));
                    await("intake works", () -> read(staff, carol) == 200);
                    assertThat(staff.get("/audit/v1/erasures/" + receipt[0]).status())
                            .isEqualTo(200);
                    await("no other root key is in use", () -> wrappedByTheTokenAlone(staff));
                });
            }
        }
    }

    private static Connection connect(ServiceDatabase database) throws SQLException {
        var as = database.superuser();
        return DriverManager.getConnection(as.jdbcUrl(), as.user(), as.password());
    }

    private static boolean wrappedByTheTokenAlone(StaffClient staff) {
        for (var check : staff.get("/q/health/well").json().path("checks")) {
            if (check.path("name").asText().equals("root keys")) {
                var data = check.path("data");
                var wrapped = data.properties().stream()
                        .filter(member -> member.getKey().startsWith("wrapped by ")
                                && member.getValue().asLong() > 0)
                        .map(Map.Entry::getKey)
                        .toList();
                return data.path("wraps with").asText().equals("root one")
                        && wrapped.toString().equals("[wrapped by root one]");
            }
        }
        return false;
    }

    private static int read(StaffClient staff, Asked asked) {
        return staff.read(asked.id().toString()).status();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("waited " + PATIENCE + " for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
