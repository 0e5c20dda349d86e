package dev.counterpoint.testkit;

import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.broker.BrokerAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/// The broker in a container, set up like the embedded one. Its host port is fixed, so that it keeps its address
/// over a restart.
final class ContainerKafka implements TestKafka {
    private static final DockerImageName IMAGE = DockerImageName.parse("apache/kafka:4.4.0");
    private static final int CLIENT_PORT = 9092;
    private static final int STOP_SECONDS_MAX = 20;
    private static final Duration START_MAX = Duration.ofMinutes(3);

    private final KafkaContainer container;

    private ContainerKafka(KafkaContainer container) {
        this.container = container;
    }

    static ContainerKafka startNew() {
        var container = new KafkaContainer(IMAGE)
                .withEnv("KAFKA_MESSAGE_MAX_BYTES", String.valueOf(17 * 1024 * 1024))
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR", "1")
                .withEnv("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR", "1")
                .withEnv("KAFKA_SHARE_COORDINATOR_STATE_TOPIC_NUM_PARTITIONS", "1")
                .withEnv("KAFKA_GROUP_SHARE_MAX_SIZE", "1000")
                .withEnv("KAFKA_BROKER_SESSION_TIMEOUT_MS", "3000")
                .withEnv("KAFKA_BROKER_HEARTBEAT_INTERVAL_MS", "500")
                .withEnv(access())
                .withStartupTimeout(START_MAX);
        container.setPortBindings(List.of(FreePort.find() + ":" + CLIENT_PORT));
        container.start();
        return new ContainerKafka(container);
    }

    /// As the embedded broker has them: a password for everybody, and only what a rule allows. The image turns `_`
    /// into a dot and `___` into a hyphen.
    private static Map<String, String> access() {
        var access = new HashMap<String, String>();
        BrokerAccess.settings(TestBroker.ADMIN_PASSWORD, List.of("PLAINTEXT", "BROKER"))
                .forEach((name, value) -> access.put(
                        "KAFKA_" + name.replace("-", "___").replace('.', '_').toUpperCase(Locale.ROOT), value));
        return access;
    }

    @Override
    public String bootstrapServers() {
        return container.getBootstrapServers();
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
    public void pause() {
        container
                .getDockerClient()
                .pauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void resume() {
        container
                .getDockerClient()
                .unpauseContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void close() {
        container.stop();
    }
}
