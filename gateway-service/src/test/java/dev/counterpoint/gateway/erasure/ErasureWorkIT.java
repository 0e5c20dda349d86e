package dev.counterpoint.gateway.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.audit.ErasedRows;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedErase;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.GatewayWithBus;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.store.PersonErasures;
import dev.counterpoint.gateway.store.ResponseBeginnings;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.AccessRecorder;
import dev.counterpoint.gateway.turn.StoredDeletions;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.testkit.TestKafka;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// Gateways obey orders that the audit service signed, and one of them answers.
@QuarkusTest
@WithTestResource(GatewayWithBus.class)
class ErasureWorkIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROWS = 250;

    private final String tenant = Api.newTenant("");
    private final TestSuperuser database = new TestSuperuser();

    @Inject
    KeyRing keys;

    @Inject
    KafkaClients clients;

    @Inject
    PersonErasures rows;

    @Inject
    ResponseBeginnings beginnings;

    @Inject
    StoredResponses responses;

    @Inject
    StoredDeletions deletions;

    @Inject
    AccessRecorder recorder;

    @ConfigProperty(name = "gateway.stream.keys-dir")
    Path folder;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String bootstrap;

    @Test
    void twoGatewaysDeleteAllAndAnswerOnce() throws Exception {
        // Given more than a batch
        for (int i = 0; i < ROWS; i++) {
            stored("alice");
        }
        var bob = stored("bob");
        var erase = order("alice");
        // When two gateways take the work from each other all the time
        var topic = new EraseTopic(clients, keys);
        var second = new ErasureWork(rows, topic, deletions, recorder, "second");
        append(SignedErase.of(erase, audit().signatures()));
        append(SignedErase.of(erase, audit().signatures()));
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (count("person_erasure where id = '" + erase.id() + "' and answered_at is not null") == 0) {
            assertThat(System.nanoTime()).isLessThan(giveUp);
            database.createNativeMutationQuery("update person_erasure_work set held_until = now() - interval '1 s'")
                    .executeUpdate();
            second.run();
        }
        topic.close();
        // Then
        assertThat(count("response where deleted_at is null and tenant_id = '" + tenant + "'"))
                .isOne();
        assertThat(count("response where deleted_at is null and id = '" + bob + "'"))
                .isOne();
        assertThat(answers(erase.id())).isNotEmpty().allSatisfy(entry -> {
            assertThat(entry.tenant()).isEqualTo(tenant);
            assertThat(entry.erased()).isEqualTo(new ErasedRows(ROWS, 0, 0, 0, 0));
        });
        assertThat(answers(erase.id()).stream().map(AccessEntry::id).distinct()).hasSize(1);
    }

    @Test
    void oneGatewayAloneAnswersOnceAndReadsNothingAgain() throws Exception {
        // Given
        stored("alice");
        var erase = order("alice");
        // When
        append(new ProducerRecord<>(Topic.AUDIT_LOG, 0, null, "a checkpoint".getBytes()));
        append(SignedErase.of(erase, audit().signatures()));
        append(SignedErase.of(erase, audit().signatures()));
        awaitAnswered(erase);
        // Then
        assertThat(answers(erase.id())).hasSize(1);
        var topic = new EraseTopic(clients, keys);
        var position = database.createNativeQuery("select position from person_erasure_work", Long.class)
                .getSingleResult();
        assertThat(topic.read(position)).isEqualTo(new EraseTopic.Part(List.of(), position, false));
        assertThat(topic.read(position + 1_000).erasures())
                .as("of a topic that was made anew")
                .extracting(Erase::id)
                .contains(erase.id());
        topic.close();
    }

    @Test
    void whatTheAuditServiceDidNotSignDoesNothing() throws Exception {
        // Given
        var bob = stored("bob");
        var forged = order("bob");
        var worker = KeyRing.load(folder, ServiceRole.WORKER).signatures();
        var signed = SignedErase.of(forged, audit().signatures()).value();
        var cut = signed.clone();
        cut[cut.length / 2] ^= 1;
        // When
        for (var value : Stream.of(
                        forged.encode(),
                        SignedErase.of(forged, worker).value(),
                        worker.sign(SignedRecord.ERASE, Topic.ACCESS_LOG, forged.encode()),
                        cut,
                        new byte[0])
                .toList()) {
            append(new ProducerRecord<>(Topic.AUDIT_LOG, 0, Erase.KEY, value));
        }
        append(new ProducerRecord<>(Topic.AUDIT_LOG, 0, Erase.KEY, null));
        append(new ProducerRecord<>(Topic.AUDIT_LOG, 0, "other", signed));
        stored("alice");
        var last = order("alice");
        append(SignedErase.of(last, audit().signatures()));
        awaitAnswered(last);
        // Then
        assertThat(count("person_erasure where id = '" + forged.id() + "'")).isZero();
        assertThat(count("response where deleted_at is null and id = '" + bob + "'"))
                .isOne();
    }

    private Erase order(String user) {
        var token = keys.subjectTokens().of(tenant, user, "");
        return new Erase("erasure-" + UUID.randomUUID(), tenant, token, System.currentTimeMillis());
    }

    private KeyRing audit() {
        return KeyRing.load(folder, ServiceRole.AUDIT);
    }

    private String stored(String user) {
        var id = ResponseId.create(System.currentTimeMillis(), 1);
        var row = new TurnIds(id).response();
        var owner = GatewayDatabase.defaultProject(tenant);
        var now = Instant.now();
        beginnings.begin(new ResponseBeginnings.Beginning(
                owner,
                "key_1",
                id,
                null,
                null,
                new StoredResponses.NewRow(
                        row, owner, "key_1", now, "m", false, true, null, "[]", now.plusSeconds(3_600), null, user)));
        assertThat(responses.finish(row, tenant, "completed", "{}")).isTrue();
        return row;
    }

    private void append(ProducerRecord<String, byte[]> record) throws ExecutionException, InterruptedException {
        try (KafkaProducer<String, byte[]> producer = administrator().promptProducer()) {
            producer.send(record).get();
        }
    }

    private void awaitAnswered(Erase erase) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (count("person_erasure where id = '" + erase.id() + "' and answered_at is not null") == 0) {
            assertThat(System.nanoTime()).isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private List<AccessEntry> answers(String erasure) {
        var found = new ArrayList<AccessEntry>();
        try (var reader = administrator().historyReader()) {
            var partitions = IntStream.range(
                            0, reader.partitionsFor(Topic.ACCESS_LOG).size())
                    .mapToObj(number -> new TopicPartition(Topic.ACCESS_LOG, number))
                    .toList();
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            var ends = reader.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> reader.position(one) < ends.getOrDefault(one, 0L))) {
                reader.poll(Duration.ofMillis(100))
                        .forEach(record -> found.add(AccessEntry.decode(keys.signatures()
                                .verified(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, record.value()))));
            }
        }
        return found.stream()
                .filter(entry -> entry.id().equals(AccessEntry.Action.ROWS_ERASED.entryOf(erasure)))
                .toList();
    }

    private KafkaClients administrator() {
        return new KafkaClients(bootstrap, TestKafka.adminLogin());
    }

    private long count(String table) {
        return database.createNativeQuery("select count(*) from " + table, Long.class)
                .getSingleResult();
    }
}
