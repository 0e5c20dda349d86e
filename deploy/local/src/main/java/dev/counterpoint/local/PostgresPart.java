package dev.counterpoint.local;

import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// PostgreSQL with a database and roles for each service that keeps something.
final class PostgresPart implements SuitePart {
    private final PostgresServer.Settings settings;
    private final UnaryOperator<String> passwords;
    private Optional<PostgresServer> running = Optional.empty();

    /// @param passwords of the services' roles
    PostgresPart(PostgresServer.Settings settings, UnaryOperator<String> passwords) {
        this.settings = settings;
        this.passwords = passwords;
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public String address() {
        return "127.0.0.1:" + settings.port();
    }

    @Override
    public Path log() {
        return settings.log();
    }

    @Override
    public synchronized ProcessHandle start() {
        var server = PostgresServer.start(settings);
        running = Optional.of(server);
        server.createDatabases(List.of(DatabaseRoles.values()), passwords);
        return server.process().orElseThrow(() -> new IllegalStateException("PostgreSQL ended at once"));
    }

    /// It was when [#start] returned.
    @Override
    public void awaitReady(Duration limit) {}

    @Override
    public synchronized void stop() {
        running.ifPresent(PostgresServer::stop);
    }
}
