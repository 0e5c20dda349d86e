package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.PostgresServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseCopyIT {
    private static final String PASSWORD = "test";

    @TempDir
    Path folder;

    @Test
    void filesThatWereCopiedWhileTheServerServedAreAWholeDatabase() throws Exception {
        var data = folder.resolve("data");
        var copy = folder.resolve("copy");
        var settings = settings(data);
        try (var first = PostgresServer.start(settings);
                var threads = Executors.newSingleThreadExecutor()) {
            execute(first, "create table kept (id int primary key)");
            // Given a copy under way
            var answers = new PipedOutputStream();
            var turns = new PipedOutputStream();
            var heard = new BufferedReader(new InputStreamReader(new PipedInputStream(turns)));
            var script = new BufferedReader(new InputStreamReader(new PipedInputStream(answers)));
            var done = threads.submit(() -> {
                DatabaseCopy.run("127.0.0.1:" + settings.port(), PASSWORD, script, new PrintStream(turns, true));
                return null;
            });
            try (var answer = new PrintWriter(new OutputStreamWriter(answers), true)) {
                assertThat(heard.readLine()).isEqualTo("copy files");
                // When rows come before, while and after the files are copied
                execute(first, "insert into kept select generate_series(1, 1000)");
                copied(data, copy);
                execute(first, "insert into kept select generate_series(1001, 2000)");
                answer.println();
                var label = new StringBuilder();
                for (var line = heard.readLine(); !line.equals("copy log"); line = heard.readLine()) {
                    label.append(line).append('\n');
                }
                execute(first, "insert into kept values (9999)");
                Files.writeString(copy.resolve("backup_label"), label);
                copied(data.resolve("pg_wal"), copy.resolve("pg_wal"));
                answer.println();
                done.get();
            }
        }
        // Then
        try (var second = PostgresServer.start(settings(copy))) {
            assertThat(count(second)).isGreaterThanOrEqualTo(2000);
        }
    }

    private PostgresServer.Settings settings(Path data) {
        return new PostgresServer.Settings(
                data, FreePort.find(), PASSWORD, false, folder.resolve(data.getFileName() + ".log"));
    }

    /// As the script of deploy/compose does it.
    private static void copied(Path from, Path to) throws Exception {
        Files.createDirectories(to);
        var tar = new ProcessBuilder(
                        "sh",
                        "-c",
                        "tar -C \"$0\" --exclude='./pg_wal/0*' --exclude='./postmaster.*'"
                                + " --exclude='./pg_replslot/*' -cf - ."
                                + " | tar -C \"$1\" -xpf -",
                        from.toString(),
                        to.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
    }

    private static void execute(PostgresServer server, String sql) throws Exception {
        try (var connection = DriverManager.getConnection(server.jdbcUrl("postgres"), PostgresServer.USER, PASSWORD);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(PostgresServer server) throws Exception {
        try (var connection = DriverManager.getConnection(server.jdbcUrl("postgres"), PostgresServer.USER, PASSWORD);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from kept")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
