package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.servicekit.tracing.Tracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/// The loop's rules, with a broker that does what the test says.
class SummaryConsumerTest {
    private static final TopicPartition PARTITION = new TopicPartition(Topic.FRAMES, 3);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final SummaryConsumer loop = new SummaryConsumer(
            new SummaryStarter(
                    TestKeys.of(ServiceRole.SUMMARIZER), _ -> new PlainSentences(), task -> prepare(task), Tracing.OFF),
            new SummaryConsumer.Limits(Duration.ofSeconds(1), 2),
            new SummarizerMetrics(registry),
            consumer,
            new SummaryConsumer.Writes(
                    new SummaryPublisher(
                            producer, TestKeys.of(ServiceRole.SUMMARIZER).signatures()),
                    new DraftRound(DraftDesk.NONE, 1, () -> 0)));
    private final List<Runnable> preparations = new ArrayList<>();
    private boolean slowToPrepare;
    private final List<Frame> written = new ArrayList<>();
    private long next;

    private void prepare(Runnable task) {
        if (slowToPrepare) {
            preparations.add(task);
        } else {
            task.run();
        }
    }

    private ResponseLogWriter log() {
        return log(System.currentTimeMillis());
    }

    private ResponseLogWriter log(long acceptedAtMillis) {
        return new ResponseLogWriter(ResponseId.create(acceptedAtMillis, PARTITION.partition()), written::add);
    }

    /// The partition comes to this replica, with `ends` records in it.
    private void assign(long ends) {
        loop.join();
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, ends));
        consumer.rebalance(List.of(PARTITION));
    }

    /// What was written reaches the consumer.
    private void deliver() {
        written.forEach(this::deliver);
        written.clear();
        loop.follow();
    }

    private void deliver(Frame frame) {
        consumer.addRecord(new ConsumerRecord<>(
                Topic.FRAMES, PARTITION.partition(), next++, frame.record().key(), frame.encode()));
    }

    private List<Frame> appended() {
        return producer.history().stream()
                .map(record -> Frame.decode(record.value()))
                .toList();
    }

    /// What this summarizer appended comes back to it.
    private void echo() {
        appended().forEach(this::deliver);
        producer.clear();
        loop.follow();
    }

    private long committed() {
        var offset = consumer.committed(Set.of(PARTITION)).get(PARTITION);
        return offset == null ? -1 : offset.offset();
    }

    private double counted(String name) {
        return registry.get("counterpoint.summarizer." + name).counter().count();
    }

    @Test
    void appendsNothingBeforeItHasReadWhatWasThereWhenThePartitionCame() {
        // Given
        assign(5);
        log().accepted().fence(1, 0xA).thinks(0, "One.").on(0, " Two.");
        // When
        deliver();
        // Then
        assertThat(appended()).isEmpty();
        // When
        log().abandoned();
        deliver();
        // Then
        assertThat(appended()).extracting(Frame::seq).containsExactly(0, 1);
    }

    @Test
    void appendsAtOnceWhenItHasCaughtUp() {
        // Given
        assign(0);
        loop.follow();
        // When
        log().accepted().fence(1, 0xA).thinks(0, "One.");
        deliver();
        // Then
        assertThat(appended()).singleElement().satisfies(frame -> {
            assertThat(frame.lane()).isEqualTo(Lane.SUMMARY);
            assertThat(frame.nonce()).isEqualTo(0xA);
            assertThat(frame.attempt()).isOne();
        });
    }

    @Test
    void aLongRequestHoldsUpNoOtherResponse() {
        // Given
        assign(0);
        loop.follow();
        slowToPrepare = true;
        var slow = log();
        slow.accepted().fence(1, 0xA).thinks(0, "One.");
        deliver();
        slowToPrepare = false;
        var quick = log();
        // When
        quick.accepted().fence(1, 0xB).thinks(0, "Two.");
        deliver();
        // Then
        assertThat(appended()).extracting(Frame::response).containsExactly(quick.id);
        // When
        preparations.forEach(Runnable::run);
        loop.follow();
        // Then
        assertThat(appended()).extracting(Frame::response).containsExactly(quick.id, slow.id);
    }

    @Test
    void appendsAgainWhatTheBrokerLost() {
        // Given
        assign(0);
        loop.follow();
        producer.sendException = new KafkaException("down");
        log().accepted().fence(1, 0xA).thinks(0, "One. Two.");
        deliver();
        // When
        producer.sendException = null;
        loop.tidy();
        // Then
        assertThat(appended()).extracting(Frame::seq).containsExactly(0, 1);
        assertThat(counted("lost")).isOne();
        // When
        producer.clear();
        loop.tidy();
        // Then
        assertThat(appended()).isEmpty();
    }

    @Test
    void commitsUpToTheOldestResponseThatIsNotDone() {
        // Given
        assign(0);
        var done = log();
        done.accepted().fence(1, 0xA).answers(0, "Hello.").end();
        var open = log();
        var holder = open.accepted().fence(1, 0xB).thinks(0, "One.");
        deliver();
        // When
        loop.tidy();
        // Then
        assertThat(committed()).isEqualTo(4);
        // When
        holder.close(0).end();
        deliver();
        echo();
        loop.tidy();
        // Then
        assertThat(committed()).isEqualTo(next);
        assertThat(loop.following()).isZero();
    }

    @Test
    void forgetsWhatItGivesAway() {
        // Given
        assign(0);
        log().accepted();
        deliver();
        // When
        consumer.rebalance(List.of());
        // Then
        assertThat(loop.following()).isZero();
    }

    @Test
    void followsNoMoreThanItMay() {
        // Given
        assign(0);
        log().accepted();
        log().accepted();
        var third = log();
        // When
        third.accepted().fence(1, 0xC).thinks(0, "One.");
        deliver();
        // Then
        assertThat(loop.following()).isEqualTo(2);
        assertThat(counted("refused")).isOne();
        assertThat(appended()).isEmpty();
    }

    @Test
    void passesOverResponsesThatNeedNoSummaryOrAreOver() {
        // Given
        assign(0);
        log().accepted(new byte[0]);
        log(System.currentTimeMillis() - 3_600_000).accepted();
        // When
        deliver();
        // Then
        assertThat(loop.following()).isZero();
    }

    @Test
    void isNotBehindWhenAllIsRead() {
        // Given
        assign(0);
        log().accepted().fence(1, 0xA).thinks(0, "One.");
        // When
        deliver();
        // Then
        assertThat(loop.lagMillis()).isZero();
    }
}
