package dev.counterpoint.local;

import dev.counterpoint.infra.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// PostgreSQL with a database for each service that keeps something.
final class PostgresPart implements SuitePart {
    private final PostgresServer.Settings settings;
    private final List<String> databases;
    private Optional<PostgresServer> running = Optional.empty();

    PostgresPart(PostgresServer.Settings settings, List<String> databases) {
        this.settings = settings;
        this.databases = List.copyOf(databases);
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
        databases.forEach(server::createDatabase);
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
