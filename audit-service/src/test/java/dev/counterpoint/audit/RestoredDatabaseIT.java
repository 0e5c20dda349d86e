package dev.counterpoint.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.PostgresServer;
import dev.counterpoint.infra.ScratchFolder;
import dev.counterpoint.testkit.ServiceDatabase;
import dev.counterpoint.testkit.TestKafka;
import dev.counterpoint.testkit.TestPostgres.Database;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// H3 with the files themselves: the data directory of PostgreSQL is put back from a copy that was made before the
/// erasure, the group's offsets are rewound, and the records are published again.
@Timeout(300)
@Tag("nightly")
class RestoredDatabaseIT {
    private static final String PASSWORD = "test";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Asked alice = Asked.of("acme", "alice");
    private final Asked bob = Asked.of("acme", "bob");

    private final Path scratch = ScratchFolder.folder("restored");
    private final PostgresServer.Settings server = new PostgresServer.Settings(
            scratch.resolve("data"), FreePort.find(), PASSWORD, false, scratch.resolve("postgres.log"));

    @Test
    @DisplayName("H3 a restored database directory, rewound offsets and republished records bring nothing back")
    void aRestoredDatabaseBringsNothingBack() throws Exception {
        try (var kafka = TestKafka.start()) {
            try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
                new Topics(admin).ensureShared(1);
            }
            var settings = AuditParts.settings(kafka.bootstrapServers(), database());
            try (var bus = new TestBus(Path.of(settings.get("audit.keys-dir")), kafka.bootstrapServers())) {
                // Given a record of alice, one of bob, and a copy of the database with both
                var ofAlice = bus.whole(alice, "a thought of alice");
                var ofBob = bus.whole(bob, "a thought of bob");
                try (var _ = started()) {
                    KilledIT.run(settings, folder.resolve("audit-1.log"), staff -> {
                        bus.append(ofAlice);
                        bus.append(ofBob);
                        await("both are stored", () -> read(staff, alice) == 200 && read(staff, bob) == 200);
                    });
                }
                copy(scratch.resolve("data"), scratch.resolve("backup"));
                var receipt = new String[1];
                var again = new HashMap<>(settings);
                try (var _ = started()) {
                    KilledIT.run(settings, folder.resolve("audit-2.log"), staff -> {
                        receipt[0] =
                                staff.erase("acme", "alice").json().get("id").asText();
                        assertThat(read(staff, alice)).isEqualTo(410);
                    });
                    again.put("audit.log-restored-to", Long.toString(count("log_leaf")));
                }
                // When
                delete(scratch.resolve("data"));
                copy(scratch.resolve("backup"), scratch.resolve("data"));
                rewind(kafka);
                bus.append(ofAlice);
                bus.append(ofBob);
                // Then
                try (var _ = started()) {
                    assertThat(count("data_key")).isEqualTo(2);
                    long began = System.nanoTime();
                    KilledIT.run(again, folder.resolve("audit-3.log"), staff -> {
                        System.out.printf(
                                "H3 start on a restored database to ready: %d ms%n",
                                Duration.ofNanos(System.nanoTime() - began).toMillis());
                        nothingCameBack(staff, bus, ofAlice, receipt[0]);
                    });
                }
            }
        }
    }

    private void nothingCameBack(StaffClient staff, TestBus bus, TraceRecord ofAlice, String receipt) throws Exception {
        assertThat(count("data_key")).isEqualTo(1);
        assertThat(read(staff, alice)).isEqualTo(410);
        assertThat(read(staff, bob)).isEqualTo(200);
        var kept = staff.get("/audit/v1/erasures/" + receipt);
        assertThat(kept.status()).isEqualTo(200);
        assertThat(kept.json().get("actor").asText()).isEqualTo("colleague");
        assertThat(kept.json().get("requested_by").asText()).isEqualTo("officer");
        await(
                "the key is in no file",
                () -> !staff.get("/audit/v1/erasures/" + receipt)
                        .json()
                        .get("purged_at")
                        .isNull());
        // Taken out of the database and published once more
        execute("delete from trace_record where subject_token is null");
        bus.append(ofAlice);
        await("it is taken", () -> read(staff, alice) != 404);
        assertThat(read(staff, alice)).isEqualTo(410);
        assertThat(count("data_key")).isEqualTo(1);
    }

    private static int read(StaffClient staff, Asked asked) {
        return staff.read(asked.id().toString()).status();
    }

    private PostgresServer started() {
        var postgres = PostgresServer.start(server);
        postgres.createDatabases(List.of(DatabaseRoles.AUDIT), _ -> PASSWORD);
        return postgres;
    }

    private ServiceDatabase database() {
        var url = "jdbc:postgresql://127.0.0.1:" + server.port() + "/audit";
        return new ServiceDatabase(
                new Database(url, DatabaseRoles.AUDIT.user(), PASSWORD),
                new Database(url, DatabaseRoles.AUDIT.owner(), PASSWORD),
                new Database(url, PostgresServer.USER, PASSWORD));
    }

    private static void rewind(TestKafka kafka) throws Exception {
        try (var admin = new KafkaClients(kafka.bootstrapServers(), TestKafka.adminLogin()).admin()) {
            var start = IntStream.range(0, new Topics(admin).partitions(Topic.AUDIT))
                    .mapToObj(number -> new TopicPartition(Topic.AUDIT, number))
                    .collect(Collectors.toMap(partition -> partition, _ -> new OffsetAndMetadata(0)));
            admin.alterConsumerGroupOffsets("audit-service", start).all().get();
        }
    }

    private long count(String table) throws SQLException {
        var as = database().superuser();
        try (var connection = DriverManager.getConnection(as.jdbcUrl(), as.user(), as.password());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        var as = database().superuser();
        try (var connection = DriverManager.getConnection(as.jdbcUrl(), as.user(), as.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, @Nullable IOException failure) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }
        });
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
