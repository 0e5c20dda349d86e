package dev.counterpoint.infra.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BrokerIT {
    /// Kafka's default lets a client that is refused ask for a minute, and its `close` waits for that.
    private static final Map<String, Object> GIVES_UP_SOON =
            Map.of("default.api.timeout.ms", "3000", "request.timeout.ms", "2000");

    @TempDir
    Path data;

    @Test
    void keepsItsRecordsAndItsClusterIdWhenItIsStoppedAndStartedAgain() throws Exception {
        // Given
        String clusterId;
        try (var broker = RunningBroker.start(data)) {
            clusterId = clusterId(broker);
            createTopic(broker, "kept");
            produce(broker, "kept", "before".getBytes(UTF_8));
            broker.terminate();
        }
        // When
        try (var again = RunningBroker.start(data)) {
            // Then
            assertThat(clusterId(again)).isEqualTo(clusterId);
            assertThat(first(again, "kept")).asString(UTF_8).isEqualTo("before");
        }
    }

    @Test
    void comesBackWithItsRecordsAfterAKill() throws Exception {
        // Given
        try (var broker = RunningBroker.start(data)) {
            createTopic(broker, "kept");
            produce(broker, "kept", "acknowledged".getBytes(UTF_8));
            broker.kill();
        }
        // When
        try (var again = RunningBroker.start(data)) {
            // Then
            assertThat(first(again, "kept")).asString(UTF_8).isEqualTo("acknowledged");
        }
    }

    @Test
    void stopsOnSigtermWithoutComplaint() throws Exception {
        // Given
        var broker = RunningBroker.start(data);
        // When
        int status = broker.terminate();
        // Then
        assertThat(status).isEqualTo(143);
        assertThat(new String(broker.process().getInputStream().readAllBytes(), UTF_8))
                .isEmpty();
    }

    @Test
    void letsNobodyInWithoutAPassword() throws Exception {
        // Given
        try (var broker = RunningBroker.start(data);
                var stranger = Admin.create(stranger(broker));
                var guesser = Admin.create(guess(broker))) {
            // Then
            assertThatThrownBy(() -> stranger.describeCluster().clusterId().get(5, SECONDS));
            assertThatThrownBy(() -> guesser.describeCluster().clusterId().get(20, SECONDS))
                    .hasCauseInstanceOf(AuthenticationException.class);
        }
    }

    private static Map<String, Object> stranger(RunningBroker broker) {
        var settings = new HashMap<String, Object>(GIVES_UP_SOON);
        settings.put("bootstrap.servers", broker.address());
        return settings;
    }

    private static Map<String, Object> guess(RunningBroker broker) {
        var settings = broker.login(GIVES_UP_SOON);
        settings.compute("sasl.jaas.config", (_, login) -> String.valueOf(login).replace("tests", "guess"));
        return settings;
    }

    @Test
    void leavesADirectoryAloneThatIsNotItsOwn() throws Exception {
        // Given
        Path thesis = Files.writeString(data.resolve("thesis.txt"), "years of work");
        // When
        var process = RunningBroker.launch(data);
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        // Then
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output).contains("is not a broker's directory").contains("thesis.txt");
        assertThat(thesis).hasContent("years of work");
    }

    private static String clusterId(RunningBroker broker) throws Exception {
        try (var admin = broker.admin()) {
            return admin.describeCluster().clusterId().get(20, SECONDS);
        }
    }

    private static void createTopic(RunningBroker broker, String name) throws Exception {
        try (var admin = broker.admin()) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty())))
                    .all()
                    .get(20, SECONDS);
        }
    }

    private static void produce(RunningBroker broker, String topic, byte[] value) throws Exception {
        var settings = broker.login(Map.of("max.request.size", BrokerSettings.MESSAGE_BYTES_MAX, "acks", "all"));
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get(20, SECONDS);
        }
    }

    private static byte[] first(RunningBroker broker, String topic) {
        var settings = broker.login(Map.of("max.partition.fetch.bytes", BrokerSettings.MESSAGE_BYTES_MAX));
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            for (int attempt = 0; attempt < 20; attempt++) {
                var records = consumer.poll(Duration.ofSeconds(1));
                if (!records.isEmpty()) {
                    return records.iterator().next().value();
                }
            }
            throw new AssertionError("no record in " + topic + " within 20 s");
        }
    }
}
