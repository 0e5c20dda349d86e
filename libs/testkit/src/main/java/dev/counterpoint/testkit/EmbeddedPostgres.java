package dev.counterpoint.testkit;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.PostgresServer;
import dev.counterpoint.infra.ScratchFolder;
import java.nio.file.Path;

/// PostgreSQL as processes of this machine, with its data in a scratch folder.
final class EmbeddedPostgres implements TestPostgres {
    private static final String PASSWORD = "test";

    private final PostgresServer.Settings settings;
    private PostgresServer server;

    private EmbeddedPostgres(PostgresServer.Settings settings) {
        this.settings = settings;
        this.server = PostgresServer.start(settings);
    }

    static EmbeddedPostgres startNew() {
        Path folder = ScratchFolder.folder("postgres");
        return new EmbeddedPostgres(new PostgresServer.Settings(
                folder.resolve("data"), FreePort.find(), PASSWORD, false, folder.resolve("postgres.log")));
    }

    @Override
    public Database main() {
        return new Database("jdbc:postgresql://127.0.0.1:" + settings.port() + "/postgres", "postgres", PASSWORD);
    }

    @Override
    public synchronized void stop() {
        server.stop();
    }

    @Override
    public synchronized void kill() {
        server.kill();
    }

    @Override
    public synchronized void restart() {
        if (server.process().isPresent()) {
            throw new IllegalStateException("PostgreSQL runs: stop or kill it first");
        }
        server = PostgresServer.start(settings);
    }

    @Override
    public synchronized void close() {
        server.stop();
    }
}
