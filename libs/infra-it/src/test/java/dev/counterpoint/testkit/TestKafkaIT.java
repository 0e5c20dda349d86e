package dev.counterpoint.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TestKafkaIT {
    private final String topic = "testkit-" + UUID.randomUUID();

    @Test
    void carriesARecordToAPlainConsumer() throws Exception {
        // Given
        var kafka = TestKafka.shared();
        createTopic(kafka);
        // When
        produce(kafka, "hello");
        // Then
        assertThat(first(kafka)).isEqualTo("hello");
    }

    @Test
    void isOneBrokerForTheWholeJvm() {
        assertThat(TestKafka.shared().bootstrapServers())
                .isEqualTo(TestInfra.kafka().bootstrapServers());
        assertThatThrownBy(() -> TestKafka.shared().kill()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void comesBackFromAKillUnderTheSameAddressWithItsRecords() throws Exception {
        try (var kafka = TestKafka.start()) {
            // Given
            createTopic(kafka);
            produce(kafka, "before");
            // When
            kafka.kill();
            kafka.restart();
            // Then
            assertThat(first(kafka)).isEqualTo("before");
        }
    }

    private void createTopic(TestKafka kafka) throws Exception {
        try (var admin = Admin.create(client(kafka))) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.empty())))
                    .all()
                    .get(30, SECONDS);
        }
    }

    private void produce(TestKafka kafka, String value) throws Exception {
        try (var producer = new KafkaProducer<>(client(kafka), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get(30, SECONDS);
        }
    }

    private String first(TestKafka kafka) {
        try (var consumer = new KafkaConsumer<>(client(kafka), new StringDeserializer(), new StringDeserializer())) {
            var partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            for (int attempt = 0; attempt < 30; attempt++) {
                for (var record : consumer.poll(Duration.ofSeconds(1))) {
                    return record.value();
                }
            }
            throw new AssertionError("no record within 30 s");
        }
    }

    private static Map<String, Object> client(TestKafka kafka) {
        var settings = new HashMap<String, Object>(TestKafka.adminLogin());
        settings.put("bootstrap.servers", kafka.bootstrapServers());
        return settings;
    }
}
