package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.infra.ChildProcess;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.testkit.ServiceDatabase;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The service runs as a process of its own, which the test kills in the middle of its work, and stops.
@Tag("nightly")
class KilledIT {
    private static final int RESPONSES = 600;
    private static final int KILLS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @Test
    void everyResponseHasExactlyOneRecordHoweverOftenTheServiceIsKilled() throws Exception {
        try (var kafka = TestKafka.start()) {
            var database = TestPostgres.shared().newDatabase(DatabaseRoles.AUDIT);
            try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
                new Topics(admin).ensureShared(1);
            }
            var settings = AuditParts.settings(kafka.bootstrapServers(), database);
            // Given
            var asked = IntStream.range(0, RESPONSES)
                    .mapToObj(number -> Asked.of("acme", "user-" + number % 7))
                    .toList();
            try (var bus = new TestBus(Path.of(settings.get("audit.keys-dir")), kafka.bootstrapServers())) {
                asked.forEach(one -> {
                    bus.append(bus.whole(one, "a thought of " + one.id()));
                    bus.append(bus.partial(one, OwnerEnd.Reason.CANCELLED, false, List.of()));
                });
            }
            try (var connection = connect(database)) {
                // When
                for (int kill = 1; kill <= KILLS; kill++) {
                    try (var service = start(settings, kill)) {
                        await(connection, RESPONSES * 2L * kill / (KILLS + 1));
                        service.kill();
                    }
                }
                try (var service = start(settings, KILLS + 1)) {
                    await(connection, RESPONSES * 2L);
                    service.stop(Duration.ofSeconds(20));
                }
                // Then
                assertThat(count(connection, "trace_record where partial")).isEqualTo(RESPONSES);
                assertThat(count(connection, "trace_record where not partial")).isEqualTo(RESPONSES);
                assertThat(count(connection, "dead_letter")).isZero();
                assertThat(count(connection, "data_key")).isLessThanOrEqualTo(14);
            }
        }
    }

    @Test
    void whatIsOpenWhenTheServiceIsToldToEndIsAnsweredAndNothingElse() throws Exception {
        try (var kafka = TestKafka.start()) {
            var database = TestPostgres.shared().newDatabase(DatabaseRoles.AUDIT);
            try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
                new Topics(admin).ensureShared(1);
            }
            var settings = AuditParts.settings(kafka.bootstrapServers(), database);
            int port = FreePort.find();
            var staff = new StaffClient(
                    Tokens.of(settings).token("officer", "compliance.search", "auditor"), "", StaffClient.root(port));
            try (var service = start(settings, 1, port);
                    var holder = connect(database);
                    var looker = connect(database)) {
                // Given a log with a checkpoint, and a search whose entry has to wait
                assertThat(staff.search("{}").status()).isEqualTo(200);
                holder.setAutoCommit(false);
                holder.createStatement().execute("lock table event in share mode");
                var open = CompletableFuture.supplyAsync(() -> staff.search("{}"));
                var waiting = "pg_locks where not granted and relation = 'event'::regclass"
                        + " and database = (select oid from pg_database where datname = current_database())";
                await("the entry waits", () -> count(looker, waiting) > 0);
                // When
                service.handle().destroy();
                // Then
                // by a path that writes no entry: one that comes before it drains would wait for the lock too
                await(
                        "refuses others",
                        () -> staff.get("/audit/v1/log/checkpoint").status() == 503);
                assertThat(staff.get("/audit/v1/access-log").status()).isEqualTo(503);
                assertThat(staff.get("/q/health/ready").status()).isEqualTo(503);
                holder.rollback();
                assertThat(open.get(30, TimeUnit.SECONDS).status()).isEqualTo(200);
                await("it ends", () -> !service.isAlive());
            }
        }
    }

    private static Connection connect(ServiceDatabase database) throws SQLException {
        var superuser = database.superuser();
        return DriverManager.getConnection(superuser.jdbcUrl(), superuser.user(), superuser.password());
    }

    private ChildProcess start(Map<String, String> settings, int number) {
        return start(settings, number, FreePort.find());
    }

    private ChildProcess start(Map<String, String> settings, int number, int port) {
        return start(settings, folder.resolve("audit-" + number + ".log"), port);
    }

    /// The service as a process of its own, when it is ready.
    static ChildProcess start(Map<String, String> settings, Path log, int port) {
        var environment = new HashMap<String, String>();
        settings.forEach((name, value) -> {
            if (!name.startsWith("test.")) {
                environment.put(name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT), value);
            }
        });
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        var service = ProcessSpec.java(
                        "audit-service",
                        log,
                        "-Xmx256m",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-jar",
                        Path.of("target/quarkus-app/quarkus-run.jar")
                                .toAbsolutePath()
                                .toString())
                .with(environment)
                .start();
        service.awaitHttp(URI.create("http://127.0.0.1:" + port + "/q/health/ready"), 200, PATIENCE);
        return service;
    }

    @FunctionalInterface
    interface Use {
        void with(StaffClient staff) throws Exception;
    }

    /// Runs the service as a process of its own while staff uses it.
    static void run(Map<String, String> settings, Path log, Use use) throws Exception {
        int port = FreePort.find();
        var issuer = Tokens.of(settings);
        var token = issuer.token(
                "officer", "compliance.search", "compliance.read", "compliance.erase", "compliance.export", "auditor");
        var colleague = issuer.token("colleague", "compliance.approve");
        try (var service = start(settings, log, port)) {
            use.with(new StaffClient(token, colleague, StaffClient.root(port)));
            service.stop(Duration.ofSeconds(20));
        }
    }

    private static void await(Connection connection, long wanted) throws Exception {
        await(wanted + " records", () -> count(connection, "trace_record") >= wanted);
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("waited " + PATIENCE + " for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private static long count(Connection connection, String what) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from " + what)) {
            row.next();
            return row.getLong(1);
        }
    }
}
