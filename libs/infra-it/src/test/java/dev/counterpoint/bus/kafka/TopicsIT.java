package dev.counterpoint.bus.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.testkit.TestKafka;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Topics, share groups and clients on a real broker of its own, since the shared topics have fixed names.
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
                .contains(Topic.FRAMES, Topic.CONTROL, Topic.MODELS, Topic.AUDIT, Topic.ACCESS_LOG, Topic.DEAD_LETTERS);
        assertThat(settings(Topic.FRAMES))
                .containsEntry("max.message.bytes", "16777216")
                .containsEntry("retention.ms", "5400000")
                .containsEntry("segment.ms", "600000")
                .containsEntry("cleanup.policy", "delete");
        assertThat(settings(Topic.MODELS)).containsEntry("cleanup.policy", "compact,delete");
        // H3: compaction would let whoever may append take an erasure away, by a record without a value.
        assertThat(settings(Topic.ERASURES))
                .containsEntry("cleanup.policy", "delete")
                .containsEntry("retention.ms", "-1")
                .containsEntry("retention.bytes", "-1");
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
            Callable<String> start = () -> TOPICS.ensureJobs("together", Topic.Band.NORMAL);
            var names = starts.invokeAll(List.of(start, start, start, start));
            // Then
            for (var name : names) {
                assertThat(name.get()).isEqualTo("jobs.together.normal");
            }
        }
        assertThat(TOPICS.partitions("jobs.together.normal")).isOne();
    }

    @Test
    void aShareGroupTakesJobsFromTheFirstOneEverSent() throws Exception {
        // When
        TOPICS.ensureShareGroup("workers.settings");
        TOPICS.ensureShareGroup("workers.settings");
        // Then
        GroupSettings.assertShown(
                ADMIN,
                "workers.settings",
                Map.of(
                        "share.auto.offset.reset", "earliest",
                        "share.record.lock.duration.ms", "30000",
                        "share.delivery.count.limit", "2",
                        "errors.deadletterqueue.topic.name", Topic.DEAD_LETTERS));
    }

    @Test
    void aTicketThatNobodyCanTakeAndOneThatIsRejectedBecomeDeadLetters() throws Exception {
        // Given
        var topic = TOPICS.ensureJobs("poison", Topic.Band.NORMAL);
        TOPICS.ensureShareGroup("workers.poison");
        var deadly = new JobTicket(ResponseId.create(1, 2), 3, 1, "tenant", Set.of(), 4, UnknownFields.NONE);
        var unreadable = new byte[] {1, 2, 3};
        try (var producer = CLIENTS.promptProducer()) {
            producer.send(new ProducerRecord<>(topic, "deadly", deadly.encode()))
                    .get();
        }
        // When its workers die one after the other
        for (int delivery = 1; delivery <= 2; delivery++) {
            try (var worker = CLIENTS.jobTaker("workers.poison")) {
                worker.subscribe(List.of(topic));
                assertThat(take(worker).deliveryCount()).hasValue((short) delivery);
            }
        }
        // And the next one comes to a worker that cannot read it
        try (var producer = CLIENTS.promptProducer();
                var worker = CLIENTS.jobTaker("workers.poison")) {
            producer.send(new ProducerRecord<>(topic, "unreadable", unreadable)).get();
            worker.subscribe(List.of(topic));
            var taken = take(worker);
            assertThat(taken.value()).isEqualTo(unreadable);
            worker.acknowledge(taken, AcknowledgeType.REJECT);
            worker.commitSync(PATIENCE);
        }
        // Then
        assertThat(deadLettersUpTo("unreadable"))
                .containsExactly(entry("deadly", deadly.encode()), entry("unreadable", unreadable));
    }

    /// By key: a broker that is slow to hear of its own write writes a dead letter again.
    private static Map<String, byte[]> deadLettersUpTo(String last) {
        var letters = new LinkedHashMap<String, byte[]>();
        var partition = new TopicPartition(Topic.DEAD_LETTERS, 0);
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        try (var reader = CLIENTS.reader()) {
            reader.assign(List.of(partition));
            reader.seekToBeginning(List.of(partition));
            while (!letters.containsKey(last) && System.nanoTime() < giveUp) {
                reader.poll(Duration.ofMillis(200)).forEach(record -> letters.put(record.key(), record.value()));
            }
        }
        return letters;
    }

    @Test
    void aTicketThatWasSentBeforeTheFirstWorkerJoinedIsTakenOnce() throws Exception {
        // Given
        var topic = TOPICS.ensureJobs("early", Topic.Band.NORMAL);
        TOPICS.ensureShareGroup("workers.early");
        var ticket = new JobTicket(ResponseId.create(1, 2), 3, 1, "tenant", Set.of(), 4, UnknownFields.NONE);
        try (var producer = CLIENTS.promptProducer()) {
            producer.send(new ProducerRecord<>(topic, ticket.encode())).get();
        }
        // When
        try (var worker = CLIENTS.jobTaker("workers.early")) {
            worker.subscribe(List.of(topic));
            var taken = take(worker);
            // Then
            assertThat(JobTicket.decode(taken.value())).isEqualTo(ticket);
            assertThat(taken.deliveryCount()).hasValue((short) 1);
            worker.acknowledge(taken, AcknowledgeType.ACCEPT);
            assertThat(worker.commitSync(PATIENCE).values()).allMatch(error -> error.isEmpty());
        }
    }

    @Test
    void aTicketThatIsGivenBackGoesToTheNextWorker() throws Exception {
        // Given
        var topic = TOPICS.ensureJobs("released", Topic.Band.NORMAL);
        TOPICS.ensureShareGroup("workers.released");
        try (var producer = CLIENTS.promptProducer()) {
            producer.send(new ProducerRecord<>(topic, new byte[] {1})).get();
        }
        try (var draining = CLIENTS.jobTaker("workers.released");
                var next = CLIENTS.jobTaker("workers.released")) {
            draining.subscribe(List.of(topic));
            next.subscribe(List.of(topic));
            // When
            draining.acknowledge(take(draining), AcknowledgeType.RELEASE);
            draining.commitSync(PATIENCE);
            // Then
            assertThat(take(next).deliveryCount()).hasValue((short) 2);
        }
    }

    @Test
    void aWorkerWithoutAFreeSlotKeepsNoJobFromAnIdleOne() throws Exception {
        // Given two members of a group, of which one has joined, taken a job, and does not poll any more
        var topic = TOPICS.ensureJobs("full", Topic.Band.NORMAL);
        TOPICS.ensureShareGroup("workers.full");
        try (var producer = CLIENTS.promptProducer();
                var full = CLIENTS.jobTaker("workers.full");
                var idle = CLIENTS.jobTaker("workers.full")) {
            full.subscribe(List.of(topic));
            producer.send(new ProducerRecord<>(topic, new byte[] {0})).get();
            accept(full, take(full));
            idle.subscribe(List.of(topic));
            awaitMembers(idle, "workers.full", 2);
            // When
            var sent = new HashSet<Byte>();
            for (byte job = 1; job <= 12; job++) {
                sent.add(job);
                int partition = job % TOPICS.partitions(topic);
                producer.send(new ProducerRecord<>(topic, partition, null, new byte[] {job}))
                        .get();
            }
            // Then
            var taken = new HashSet<Byte>();
            while (!taken.containsAll(sent)) {
                var job = take(idle);
                taken.add(job.value()[0]);
                accept(idle, job);
            }
            assertThat(taken).isEqualTo(sent);
        }
    }

    private static void accept(KafkaShareConsumer<String, byte[]> worker, ConsumerRecord<String, byte[]> job) {
        worker.acknowledge(job, AcknowledgeType.ACCEPT);
        worker.commitSync(PATIENCE);
    }

    /// Polls `joining` until the broker has given every member of the group its partitions.
    private static void awaitMembers(KafkaShareConsumer<String, byte[]> joining, String group, int members)
            throws Exception {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUp) {
            assertThat(joining.poll(Duration.ofMillis(200))).isEmpty();
            var seen = Objects.requireNonNull(ADMIN.describeShareGroups(List.of(group))
                            .all()
                            .get()
                            .get(group))
                    .members();
            if (seen.size() == members
                    && seen.stream()
                            .noneMatch(member ->
                                    member.assignment().topicPartitions().isEmpty())) {
                return;
            }
        }
        throw new AssertionError("the group did not get " + members + " members within " + PATIENCE);
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

    /// The first member of a new share group waits for its second heartbeat, about five seconds.
    private static ConsumerRecord<String, byte[]> take(KafkaShareConsumer<String, byte[]> worker) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < giveUp) {
            for (var job : worker.poll(Duration.ofSeconds(1))) {
                return job;
            }
        }
        throw new AssertionError("no job within " + PATIENCE);
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
