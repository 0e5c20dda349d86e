package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.RepositoryRoot;
import dev.counterpoint.local.doctor.BusChecks;
import dev.counterpoint.local.doctor.DatabaseChecks;
import dev.counterpoint.local.doctor.DiagnosedService;
import dev.counterpoint.local.doctor.Misconfiguration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each misconfiguration of broker and database is found by its name, on the servers of a suite that has started.
class DoctorIT {
    @TempDir
    private static Path folder;

    private static LaunchedSuite suite;
    private static Map<String, String> good;
    private static int newest;

    @BeforeAll
    static void start() throws IOException {
        newest = Doctor.newestMigration(RepositoryRoot.find(), "gateway-service");
        suite = LaunchedSuite.start(folder.resolve("state"));
        suite.awaitReady();
        var state = new StateFolder(suite.folder());
        good = new ServiceEnvironment(
                        Options.parse(),
                        LocalSecrets.of(state),
                        StaffIssuer.of(state),
                        state,
                        Objects.requireNonNull(suite.addresses().get("kafka")),
                        suite.jdbcUrl("").replaceFirst("/$", ""))
                .gateway(8080);
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    private static DiagnosedService gateway(String... changes) {
        var environment = new HashMap<>(good);
        for (int at = 0; at < changes.length; at += 2) {
            environment.put(changes[at], changes[at + 1]);
        }
        return new DiagnosedService(ServiceRole.GATEWAY, environment);
    }

    /// None of which tells a secret.
    private static List<String> names(List<Misconfiguration> found) {
        assertThat(found.toString()).doesNotContain(secrets());
        return found.stream().map(Misconfiguration::name).toList();
    }

    private static List<String> secrets() {
        var secrets = new ArrayList<>(List.of(suite.postgresPassword()));
        good.forEach((name, value) -> {
            if (name.contains("PASSWORD") || name.contains("TOKEN")) {
                secrets.add(value);
            }
        });
        return secrets;
    }

    private static List<Misconfiguration> database(DiagnosedService service) {
        return new DatabaseChecks(newest, InstantSource.system()).look(service);
    }

    @Test
    void aSuiteThatHasStartedHasNone() {
        assertThat(BusChecks.look(gateway())).isEmpty();
        assertThat(database(gateway())).isEmpty();
    }

    @Test
    void theProgramSaysSoAndNamesWhatItFindsWithItsMendAndNoSecret() throws IOException {
        // Given
        var keys = copyOfTheKeys("open-to-others");
        Files.setPosixFilePermissions(
                keys.resolve("gateway.private.json"), PosixFilePermissions.fromString("rw-r--r--"));
        var bad = new HashMap<>(good);
        bad.put("COUNTERPOINT_KEYS_DIR", keys.toString());
        bad.put("QUARKUS_DATASOURCE_PASSWORD", "of-yesterday");
        var well = new ByteArrayOutputStream();
        var ill = new ByteArrayOutputStream();
        // When
        boolean nothing = doctor(good, well).findsNothing("--service", "gateway");
        boolean something = doctor(bad, ill).findsNothing("--service", "gateway");
        // Then
        assertThat(nothing).isTrue();
        assertThat(well.toString(StandardCharsets.UTF_8)).isEqualTo("No misconfiguration found.\n");
        assertThat(something).isFalse();
        assertThat(ill.toString(StandardCharsets.UTF_8))
                .contains("key-open-to-others: ", "chmod 600 ", "database-login: ", "alter role ")
                .doesNotContain(secrets())
                .doesNotContain("of-yesterday");
    }

    private static Doctor doctor(Map<String, String> environment, OutputStream out) {
        return new Doctor(RepositoryRoot.find(), environment, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @Test
    void busPassword() throws IOException {
        // Given: the login that an account had before
        var keys = copyOfTheKeys("old-login");
        ProvisionBus.account(keys, ServiceRole.GATEWAY, "of-yesterday");
        // When
        var found = BusChecks.look(gateway("COUNTERPOINT_KEYS_DIR", keys.toString()));
        // Then
        assertThat(names(found)).containsExactly("bus-password");
        assertThat(found.toString()).doesNotContain("of-yesterday");
    }

    @Test
    void busLoginMissing() throws IOException {
        var keys = copyOfTheKeys("no-login");
        Files.delete(keys.resolve("gateway.bus.properties"));

        assertThat(names(BusChecks.look(gateway("COUNTERPOINT_KEYS_DIR", keys.toString()))))
                .containsExactly("bus-login-missing");
    }

    private static Path copyOfTheKeys(String name) throws IOException {
        var copy = Files.createDirectory(folder.resolve(name));
        try (var files = Files.list(Path.of(Objects.requireNonNull(good.get("COUNTERPOINT_KEYS_DIR"))))) {
            for (var file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    @ParameterizedTest
    @CsvSource({
        "message.timestamp.type, CreateTime, LogAppendTime, topic-timestamps",
        "retention.ms, 600000, 5400000, topic-retention"
    })
    void topicThatForgetsOrIsDatedByItsWriters(String setting, String wrong, String right, String name)
            throws Exception {
        set("frames", setting, wrong);
        try {
            assertThat(names(BusChecks.look(gateway()))).containsExactly(name);
        } finally {
            set("frames", setting, right);
        }
        assertThat(BusChecks.look(gateway())).isEmpty();
    }

    /// The deadline was raised, and nobody told the topic.
    @Test
    void retentionShorterThanDeadlineAndReplayWindow() {
        assertThat(names(BusChecks.look(gateway("GATEWAY_STREAM_DEADLINE", "30m"))))
                .containsExactly("topic-retention");
    }

    private static void set(String topic, String setting, String value) throws Exception {
        try (var admin = suite.kafka().admin()) {
            var change = new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change)))
                    .all()
                    .get();
        }
    }

    @Test
    void topicMissing() throws Exception {
        // Given: nothing writes suspects while no worker is lost
        try (var admin = suite.kafka().admin()) {
            admin.deleteTopics(List.of("suspects")).all().get();
        }
        // When
        var found = BusChecks.look(gateway());
        // Then
        assertThat(names(found)).containsExactly("topic-missing");
        assertThat(found.getFirst().what()).contains("suspects");
        try (var admin = suite.kafka().admin()) {
            new Topics(admin).ensureShared(1);
        }
    }

    @Test
    void databaseUnreachable() {
        var nowhere = "jdbc:postgresql://127.0.0.1:" + FreePort.find() + "/gateway";

        assertThat(names(database(gateway("QUARKUS_DATASOURCE_JDBC_URL", nowhere))))
                .containsExactly("database-unreachable");
    }

    @Test
    void databaseMissing() {
        assertThat(names(database(gateway("QUARKUS_DATASOURCE_JDBC_URL", suite.jdbcUrl("gatewy")))))
                .contains("database-missing");
    }

    @Test
    void databaseLogin() {
        assertThat(names(database(gateway("QUARKUS_DATASOURCE_PASSWORD", "another"))))
                .containsExactly("database-login");
        assertThat(names(database(gateway("QUARKUS_DATASOURCE_USERNAME", "nobody_made_it"))))
                .containsExactly("database-login");
    }

    @Test
    void databaseRoleStrong() {
        var found = database(gateway(
                "QUARKUS_DATASOURCE_USERNAME", "postgres", "QUARKUS_DATASOURCE_PASSWORD", suite.postgresPassword()));

        assertThat(names(found)).containsExactly("database-role-strong");
    }

    @Test
    void migrationMissing() throws SQLException {
        assertThat(names(new DatabaseChecks(newest + 1, InstantSource.system()).look(gateway())))
                .containsExactly("migration-missing");
        // A database that no service has started on.
        try (var server = DriverManager.getConnection(suite.jdbcUrl("postgres"), "postgres", suite.postgresPassword());
                var statement = server.createStatement()) {
            statement.execute("create database fresh");
        }
        assertThat(names(database(gateway("QUARKUS_DATASOURCE_JDBC_URL", suite.jdbcUrl("fresh")))))
                .containsExactly("migration-missing");
    }

    @Test
    void clockApart() {
        InstantSource wrong = () -> Instant.now().plus(Duration.ofSeconds(30));

        var found = new DatabaseChecks(newest, wrong).look(gateway());

        assertThat(names(found)).containsExactly("clock-apart");
        assertThat(found.getFirst().what()).containsPattern("(29|30|31) s apart");
    }
}
