package dev.counterpoint.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/// PostgreSQL from its own binaries as processes of this machine, on 127.0.0.1 only and behind a password.
/// Works as root where user namespaces are allowed, else under an ordinary user. Thread-safe.
public final class PostgresServer implements AutoCloseable {
    /// The superuser, and the database that always exists.
    public static final String USER = "postgres";

    private static final Duration START_MAX = Duration.ofSeconds(90);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);
    private static final String ACCESS = """
            # Written at every start: a password for everybody, over loopback only.
            host all all 127.0.0.1/32 scram-sha-256
            host all all ::1/128 scram-sha-256
            """;

    private final Settings settings;
    private final EmbeddedPostgres server;

    /// @param data the data directory; created when it is new, reused with everything in it otherwise
    /// @param password of the superuser; a changed one takes effect only in a new directory
    /// @param durable whether a commit waits for the disk: always, except for tests
    /// @param log receives what the server says, appended
    public record Settings(Path data, int port, String password, boolean durable, Path log) {
        public Settings {
            data = data.toAbsolutePath();
        }

        @Override
        public String toString() {
            return "Settings[data=" + data + ", port=" + port + ", durable=" + durable + "]";
        }
    }

    private PostgresServer(Settings settings, EmbeddedPostgres server) {
        this.settings = settings;
        this.server = server;
    }

    /// Starts it and waits until it answers. A server that a killed supervisor left behind on the same directory is
    /// stopped first.
    ///
    /// @throws IllegalStateException when it cannot run here or does not start; says what to do
    public static PostgresServer start(Settings settings) {
        refuseRootWithoutNamespaces();
        stopLeftover(settings.data());
        try {
            Files.createDirectories(settings.data());
            // The library's lock: held by nobody now, unless by a server of this JVM that was killed.
            Files.deleteIfExists(settings.data().resolve("epg-lock"));
            Files.createDirectories(settings.log().toAbsolutePath().getParent());
            var log = ProcessBuilder.Redirect.appendTo(settings.log().toFile());
            String durable = settings.durable() ? "on" : "off";
            var embedded = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(binaries().toFile())
                    .setDataDirectory(settings.data())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPort(settings.port())
                    .setConnectConfig("password", settings.password())
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("unix_socket_directories", "")
                    .setServerConfig("fsync", durable)
                    .setServerConfig("full_page_writes", durable)
                    .setServerConfig("synchronous_commit", durable)
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("shared_buffers", "64MB")
                    .setLocaleConfig("locale", "C.UTF-8")
                    .setOutputRedirector(log)
                    .setErrorRedirector(log)
                    .setPGStartupWait(START_MAX)
                    .start();
            var server = new PostgresServer(settings, embedded);
            server.requirePassword();
            return server;
        } catch (IOException | SQLException | IllegalStateException failure) {
            throw new IllegalStateException(
                    "PostgreSQL did not start on port " + settings.port() + "; its log is " + settings.log(), failure);
        }
    }

    private static void refuseRootWithoutNamespaces() {
        if (System.getProperty("user.name").equals("root") && !LinuxUtils.isUnshareAvailable()) {
            throw new IllegalStateException("""
                    PostgreSQL refuses to run as root, and this system does not allow `unshare -U`, which would help.
                    Do one of these:
                      run this as an ordinary user    runuser -u NAME -- COMMAND
                      allow user namespaces           sysctl kernel.unprivileged_userns_clone=1; needs util-linux
                      for tests, use containers       COUNTERPOINT_TEST_INFRA=containers""");
        }
    }

    /// Unpacked once per user and version; not in /tmp, where anybody could put a program in our place.
    private static Path binaries() throws IOException {
        Path cache = Path.of(System.getProperty("user.home"), ".cache", "counterpoint", "postgres");
        return Files.createDirectories(cache);
    }

    /// A new directory trusts everybody on this machine for as long as this takes.
    private void requirePassword() throws SQLException, IOException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            DatabaseRoles.setPassword(connection, USER, settings.password());
            Files.writeString(settings.data().resolve("pg_hba.conf"), ACCESS, UTF_8);
            statement.execute("select pg_reload_conf()");
        }
    }

    public String jdbcUrl() {
        return jdbcUrl(USER);
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + settings.port() + "/" + database;
    }

    /// Creates the databases of services, each with its roles.
    ///
    /// @param passwords gives each role that logs in its password
    public void createDatabases(Iterable<DatabaseRoles> services, UnaryOperator<String> passwords) {
        try {
            DatabaseRoles.install(
                    database -> DriverManager.getConnection(jdbcUrl(database), USER, settings.password()),
                    services,
                    passwords);
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot make the roles of the services", failure);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), USER, settings.password());
    }

    /// The server's own process; empty when it is gone.
    public Optional<ProcessHandle> process() {
        return process(settings.data());
    }

    /// Stops it in order; open connections are ended.
    public void stop() {
        if (process().isPresent()) {
            try {
                server.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        // Where five seconds were not enough.
        stopLeftover(settings.data());
    }

    /// Ends it at once (SIGKILL to all its processes).
    public void kill() {
        process().ifPresent(main -> {
            var children = main.children().toList();
            main.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            ended(main, STOP_MAX);
        });
    }

    @Override
    public void close() {
        stop();
    }

    /// Stops the server of this data directory, whichever process started it.
    public static void stopLeftover(Path data) {
        process(data).ifPresent(main -> {
            Signals.send("INT", main.pid());
            if (!ended(main, STOP_MAX)) {
                Signals.send("QUIT", main.pid());
                ended(main, STOP_MAX);
            }
        });
    }

    private static boolean ended(ProcessHandle process, Duration limit) {
        try {
            process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Optional<ProcessHandle> process(Path data) {
        Path file = data.resolve("postmaster.pid");
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .findFirst()
                            .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.strip())))
                            .filter(PostgresServer::isPostgres)
                    : Optional.empty();
        } catch (IOException | NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    /// The file outlives a crash, and then its number may belong to anybody.
    private static boolean isPostgres(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.endsWith("/postgres"))
                .isPresent();
    }
}
