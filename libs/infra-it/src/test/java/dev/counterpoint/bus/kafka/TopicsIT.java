package dev.counterpoint.bus.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.testkit.TestKafka;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Topics and clients on a real broker of its own, since the shared topics have fixed names.
class TopicsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TestKafka KAFKA = TestKafka.start();
    private static final KafkaClients CLIENTS = new KafkaClients(KAFKA.bootstrapServers(), TestKafka.adminLogin());
    private static final Admin ADMIN = CLIENTS.admin();
    private static final Topics TOPICS = new Topics(ADMIN);

    @BeforeAll
    static void create() {
        TOPICS.ensureShared(4);
    }

    @AfterAll
    static void stop() {
        ADMIN.close(Duration.ofSeconds(5));
        KAFKA.close();
    }

    @Test
    void createsEverySharedTopicWithItsLimits() throws Exception {
        assertThat(ADMIN.listTopics().names().get())
                .contains(Topic.FRAMES, Topic.CONTROL, Topic.MODELS, Topic.AUDIT, Topic.ACCESS_LOG);
        assertThat(settings(Topic.FRAMES))
                .containsEntry("max.message.bytes", "16777216")
                .containsEntry("retention.ms", "5400000")
                .containsEntry("segment.ms", "600000")
                .containsEntry("cleanup.policy", "delete");
        assertThat(settings(Topic.MODELS)).containsEntry("cleanup.policy", "compact,delete");
        // H3: compaction would let whoever may append take an erasure away, by a record without a value.
        for (var keptForEver : List.of(Topic.ERASURES, Topic.AUDIT_LOG)) {
            assertThat(settings(keptForEver))
                    .containsEntry("cleanup.policy", "delete")
                    .containsEntry("retention.ms", "-1")
                    .containsEntry("retention.bytes", "-1");
        }
        assertThat(settings(Topic.AUDIT))
                .containsEntry("max.message.bytes", "16777216")
                .containsEntry("retention.ms", "604800000");
        assertThat(settings(Topic.ACCESS_LOG)).containsEntry("retention.ms", "604800000");
        assertThat(TOPICS.partitions(Topic.CONTROL)).isOne();
        assertThat(TOPICS.partitions(Topic.MODELS)).isOne();
    }

    @Test
    @DisplayName("f4: a writer whose clock is two minutes ahead breaks no replay by time")
    void theBrokerDatesEveryFrame() throws Exception {
        long ahead = System.currentTimeMillis() + 120_000;
        try (var producer = CLIENTS.promptProducer()) {
            // When
            var stamped = producer.send(new ProducerRecord<>(Topic.FRAMES, 0, ahead, "r", new byte[] {1}))
                    .get()
                    .timestamp();
            // Then
            assertThat(stamped).isLessThanOrEqualTo(System.currentTimeMillis());
        }
    }

    @Test
    @DisplayName("f4, f10: frames of an earlier version or an administrator are refused until they are repaired")
    void framesThatLoseAnswersAreRefused() throws Exception {
        // Given
        var needed = Topic.framesRetention(Duration.ofHours(2), Duration.ofHours(1));
        set(Topic.FRAMES, "message.timestamp.type", "CreateTime");
        // Then
        assertThatThrownBy(() -> TOPICS.requireFit(Topic.FRAMES_RETENTION))
                .isInstanceOf(UnfitTopicException.class)
                .hasMessageContaining("message.timestamp.type=CreateTime")
                .hasMessageContaining("ProvisionBus apply");
        // When
        TOPICS.repair();
        // Then
        assertThatCode(() -> TOPICS.requireFit(Topic.FRAMES_RETENTION)).doesNotThrowAnyException();
        assertThatThrownBy(() -> TOPICS.requireFit(needed))
                .isInstanceOf(UnfitTopicException.class)
                .hasMessageContaining("retention.ms to 12000000");
    }

    @Test
    @DisplayName("f8: an append outlives what a cluster with the usual settings takes to replace a broker")
    void anAppendWaitsForABrokerThatIsAwayForTwelveSeconds() throws Exception {
        try (var away = TestKafka.start()) {
            var clients = new KafkaClients(away.bootstrapServers(), TestKafka.adminLogin());
            try (var admin = clients.admin();
                    var producer = clients.promptProducer()) {
                new Topics(admin).ensureShared(1);
                producer.send(new ProducerRecord<>(Topic.FRAMES, 0, "r", new byte[] {1}))
                        .get();
                // When
                away.pause();
                var append = producer.send(new ProducerRecord<>(Topic.FRAMES, 0, "r", new byte[] {2}));
                assertThatThrownBy(() -> append.get(12, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
                away.resume();
                // Then
                assertThat(append.get(15, TimeUnit.SECONDS).offset()).isPositive();
            }
        }
    }

    private static void set(String topic, String name, String value) throws Exception {
        var change = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        ADMIN.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change)))
                .all()
                .get();
    }

    @Test
    void framesGrowAndNeverShrinkAndCreatingThemAgainIsHarmless() {
        // When
        TOPICS.ensureShared(6);
        TOPICS.ensureShared(6);
        TOPICS.ensureShared(2);
        // Then
        assertThat(TOPICS.partitions(Topic.FRAMES)).isEqualTo(6);
    }

    @Test
    void servicesThatStartTogetherDoNotDisturbEachOther() throws Exception {
        try (var starts = Executors.newFixedThreadPool(4)) {
            // When
            Callable<String> start = () -> TOPICS.ensureInbox("together", 3);
            var names = starts.invokeAll(List.of(start, start, start, start));
            // Then
            for (var name : names) {
                assertThat(name.get()).isEqualTo("jobs.together");
            }
        }
        assertThat(TOPICS.partitions("jobs.together")).isEqualTo(3);
    }

    @Test
    void inboxesGrowAndNeverShrink() {
        // When
        TOPICS.ensureInbox("growing", 2);
        TOPICS.ensureInbox("growing", 4);
        TOPICS.ensureInbox("growing", 3);
        // Then
        assertThat(TOPICS.partitions("jobs.growing")).isEqualTo(4);
    }

    @Test
    void aTicketThatWasSentBeforeTheFirstWorkerJoinedIsRead() throws Exception {
        // Given
        var topic = TOPICS.ensureInbox("early", 2);
        try (var producer = CLIENTS.promptProducer()) {
            producer.send(new ProducerRecord<>(topic, 1, null, new byte[] {7})).get();
        }
        // When
        try (var worker = CLIENTS.inboxReader("workers.early")) {
            worker.subscribe(List.of(topic));
            // Then
            assertThat(first(worker).value()).containsExactly(7);
        }
    }

    @Test
    void aReaderStartsAnywhereItIsTold() throws Exception {
        // Given
        var partition = new TopicPartition(Topic.FRAMES, 3);
        long second;
        try (var producer = CLIENTS.patientProducer()) {
            producer.send(new ProducerRecord<>(Topic.FRAMES, 3, "r", new byte[] {1}));
            second = producer.send(new ProducerRecord<>(Topic.FRAMES, 3, "r", new byte[] {2}))
                    .get()
                    .offset();
        }
        // When
        try (var reader = CLIENTS.reader()) {
            reader.assign(List.of(partition));
            reader.seek(partition, second);
            var records = reader.poll(PATIENCE);
            // Then
            assertThat(records.iterator().next().value()).containsExactly(2);
        }
    }

    @Test
    void aRecordBeyondTheLimitIsRefusedBeforeItIsSent() {
        try (var producer = CLIENTS.promptProducer()) {
            var tooLarge = new ProducerRecord<String, byte[]>(Topic.FRAMES, new byte[Topic.MESSAGE_BYTES_MAX]);

            assertThatThrownBy(() -> producer.send(tooLarge).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RecordTooLargeException.class);
        }
    }

    @Test
    void aRecordJustBelowTheLimitArrives() throws Exception {
        var partition = new TopicPartition(Topic.FRAMES, 2);
        var large = new byte[Topic.MESSAGE_BYTES_MAX - 1_024];
        try (var producer = CLIENTS.promptProducer();
                var reader = CLIENTS.reader()) {
            // When
            long offset = producer.send(new ProducerRecord<>(Topic.FRAMES, 2, "r", large))
                    .get()
                    .offset();
            reader.assign(List.of(partition));
            reader.seek(partition, offset);
            // Then
            assertThat(reader.poll(PATIENCE).iterator().next().value()).hasSize(large.length);
        }
    }

    private static ConsumerRecord<String, byte[]> first(KafkaConsumer<String, byte[]> worker) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUp) {
            for (var ticket : worker.poll(Duration.ofSeconds(1))) {
                return ticket;
            }
        }
        throw new AssertionError("no ticket within " + PATIENCE);
    }

    private static Map<String, String> settings(String topic) throws Exception {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        var config = Objects.requireNonNull(
                ADMIN.describeConfigs(List.of(resource)).all().get().get(resource));
        var settings = new HashMap<String, String>();
        config.entries().forEach(entry -> settings.put(entry.name(), entry.value()));
        return settings;
    }
}
