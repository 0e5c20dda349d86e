package dev.counterpoint.audit.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.audit.AuditParts;
import dev.counterpoint.audit.AuditTables;
import dev.counterpoint.audit.TestBus.Asked;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.testkit.TestKafka;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// H3: what an erasure's receipt says was erased comes back in no way.
@QuarkusTest
@WithTestResource(AuditParts.class)
class ErasedForGoodIT extends StoredRecords {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String tenant = "tenant_" + UUID.randomUUID();

    @Test
    @DisplayName("H3 the topic holds no trace that is stored")
    void theTopicHoldsNoTraceThatIsStored() throws Exception {
        // When
        stored(Asked.of(tenant, "alice"));
        long began = System.nanoTime();
        // Then
        await("the topic is empty", () -> recordsInTopic() == 0);
        System.out.printf("H3 stored to gone from the topic: %d ms%n", millisSince(began));
    }

    @Test
    @DisplayName("H3 a record that is published again after the erasure is not stored again")
    void aRecordThatIsPublishedAgainIsNotStoredAgain() throws Exception {
        // Given
        var asked = Asked.of(tenant, "alice");
        var record = bus.whole(asked, "a thought that was erased");
        bus.append(record);
        AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        long began = System.nanoTime();
        var receipt = staff.erase(tenant, "alice").json();
        long receiptMillis = millisSince(began);
        assertThat(staff.read(asked.id().toString()).status()).isEqualTo(410);
        System.out.printf(
                "H3 request to receipt and 410: %d ms; at %s, complete at %s%n",
                receiptMillis,
                receipt.path("at").asText(),
                receipt.path("complete_at").asText());
        // When somebody deletes the row and publishes the record again
        AuditTables.execute(
                "delete from trace_record where response = ?", asked.id().toString());
        bus.append(record);
        AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        // Then
        var read = staff.read(asked.id().toString());
        assertThat(read.status()).isEqualTo(410);
        assertThat(read.text()).doesNotContain("thought");
        assertThat(AuditTables.count(
                        "trace_record where response = ? and length(content) = 0",
                        asked.id().toString()))
                .isOne();
        assertThat(AuditTables.count("data_key where tenant = ?", tenant)).isZero();
    }

    @Test
    @DisplayName("H3 a destroyed key that is put back opens nothing")
    void aDestroyedKeyThatIsPutBackOpensNothing() {
        // Given
        var asked = stored(Asked.of(tenant, "alice"));
        AuditTables.execute("create table if not exists kept_keys as select * from data_key where false");
        AuditTables.execute("insert into kept_keys select * from data_key where tenant = ?", tenant);
        staff.erase(tenant, "alice");
        // When
        AuditTables.execute("insert into data_key select * from kept_keys where tenant = ?", tenant);
        // Then
        assertThat(staff.read(asked.id().toString()).status()).isEqualTo(410);
        assertThat(staff.search("{\"response\": \"" + asked.id() + "\"}")
                        .json()
                        .at("/data/0/erased")
                        .asBoolean())
                .isTrue();
    }

    @Test
    @DisplayName("H3 what was on its way when its subject was erased is stored without content")
    void whatWasOnItsWayIsStoredWithoutContent() {
        // Given a response that was accepted
        stored(Asked.of(tenant, "bob"));
        var asked = Asked.of(tenant, "alice");
        staff.erase(tenant, "alice");
        // When
        bus.append(bus.whole(asked, "a thought on its way"));
        AuditTables.await(1, "trace_record where response = ?", asked.id().toString());
        // Then
        assertThat(staff.read(asked.id().toString()).status()).isEqualTo(410);
    }

    @Test
    @DisplayName("H3 the receipt is pending until the log of frames has forgotten")
    void theReceiptIsPendingUntilTheLogOfFramesHasForgotten() {
        stored(Asked.of(tenant, "alice"));
        var receipt = staff.erase(tenant, "alice").json();

        assertThat(receipt.path("status").asText()).isEqualTo("pending");
        assertThat(Instant.parse(receipt.path("complete_at").asText()))
                .isAfter(Instant.parse(receipt.path("at").asText()).plus(Topic.FRAMES_RETENTION));
    }

    /// Of all partitions, what the broker would still give out.
    private static long recordsInTopic() {
        var config = ConfigProvider.getConfig();
        var clients =
                new KafkaClients(config.getValue("kafka.bootstrap.servers", String.class), TestKafka.adminLogin());
        try (var consumer = clients.reader()) {
            var partitions = IntStream.range(
                            0, consumer.partitionsFor(Topic.AUDIT).size())
                    .mapToObj(number -> new TopicPartition(Topic.AUDIT, number))
                    .toList();
            var begins = consumer.beginningOffsets(partitions);
            return consumer.endOffsets(partitions).entrySet().stream()
                    .mapToLong(end -> end.getValue() - begins.getOrDefault(end.getKey(), 0L))
                    .sum();
        }
    }

    private static long millisSince(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("waited " + PATIENCE + " for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
