package dev.counterpoint.testkit;

import dev.counterpoint.infra.FreePort;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/// PostgreSQL in a container. Its host port is fixed, so that it keeps its address over a restart.
final class ContainerPostgres implements TestPostgres {
    private static final String IMAGE = "postgres:18";
    private static final int STOP_SECONDS_MAX = 20;
    private static final Duration START_MAX = Duration.ofMinutes(3);

    private final PostgreSQLContainer<?> container;

    private ContainerPostgres(PostgreSQLContainer<?> container) {
        this.container = container;
    }

    @SuppressWarnings("resource") // closed by close(), or by Testcontainers when the JVM ends
    static ContainerPostgres startNew() {
        PostgreSQLContainer<?> container = new PostgreSQLContainer<>(IMAGE)
                .withUsername("postgres")
                .withPassword("test")
                .withDatabaseName("postgres")
                .withStartupTimeout(START_MAX);
        container.setCommand("postgres", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200");
        container.setPortBindings(List.of(FreePort.find() + ":" + PostgreSQLContainer.POSTGRESQL_PORT));
        container.start();
        return new ContainerPostgres(container);
    }

    @Override
    public Database main() {
        return new Database(
                "jdbc:postgresql://" + container.getHost() + ":"
                        + container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT) + "/postgres",
                container.getUsername(),
                container.getPassword());
    }

    @Override
    public void stop() {
        container
                .getDockerClient()
                .stopContainerCmd(container.getContainerId())
                .withTimeout(STOP_SECONDS_MAX)
                .exec();
    }

    @Override
    public void kill() {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void restart() {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        Wait.forListeningPort().withStartupTimeout(START_MAX).waitUntilReady(container);
    }

    @Override
    public void close() {
        container.stop();
    }
}
