package dev.counterpoint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.PostgresServer;
import dev.counterpoint.infra.ScratchFolder;
import dev.counterpoint.testkit.TestPostgres.Database;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The durable form that `deploy/local` runs.
@Timeout(180)
class PostgresServerIT {
    private final Path folder = ScratchFolder.folder("postgres");
    private final PostgresServer.Settings settings = new PostgresServer.Settings(
            folder.resolve("data"), FreePort.find(), "it's secret", true, folder.resolve("postgres.log"));

    @Test
    void waitsForTheDiskAtEveryCommit() throws Exception {
        try (var server = PostgresServer.start(settings)) {
            Database main = database(server);
            assertThat(TestPostgresIT.ask(main, "show fsync")).isEqualTo("on");
            assertThat(TestPostgresIT.ask(main, "show full_page_writes")).isEqualTo("on");
            assertThat(TestPostgresIT.ask(main, "show synchronous_commit")).isEqualTo("on");
            assertThat(TestPostgresIT.ask(main, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(TestPostgresIT.ask(main, "show unix_socket_directories")).isEmpty();
        }
    }

    @Test
    void stopsTheServerThatAKilledSupervisorLeftBehindAndKeepsItsRows() throws Exception {
        // Given
        var left = PostgresServer.start(settings);
        TestPostgresIT.run(database(left), "create table kept as select 42 as answer");
        var leftover = left.process().orElseThrow();
        // When
        try (var server = PostgresServer.start(settings)) {
            // Then
            assertThat(leftover.isAlive()).isFalse();
            assertThat(TestPostgresIT.ask(database(server), "select answer from kept"))
                    .isEqualTo("42");
        }
    }

    private Database database(PostgresServer server) {
        return new Database(server.jdbcUrl(), PostgresServer.USER, settings.password());
    }
}
