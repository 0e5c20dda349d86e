package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.log.follow.EndOffsets;
import dev.counterpoint.gateway.log.follow.FollowedPartition;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.log.follow.LogConsumer;
import dev.counterpoint.gateway.log.follow.ReaderHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop turned by hand, over a log that a test writes.
class LogConsumerTest {
    private static final int PARTITION = RESPONSE.partition();
    private static final TopicPartition FRAMES = new TopicPartition(Topic.FRAMES, PARTITION);
    private static final ResponseId OTHER = new ResponseId(1_000, PARTITION, 1, 1);
    private static final int MAILBOX_CAPACITY = 4;
    private static final End END = new End(End.Finish.STOP, 10, 0, 5, 2, 0);
    private static final ModelOutput FINISHED = new ModelOutput.Finished(END);
    private static final ModelOutput FAILED = new ModelOutput.Stopped(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);

    private static final Rings RINGS = Rings.ofTests();

    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
    private final Appended bus = new Appended();
    private final List<FollowedResponse> recovered = new ArrayList<>();
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private final WorkerVoice other = new WorkerVoice(OTHER, 1, 0xB);
    private LogConsumer loop = loop(recovered::add);
    private long end;

    @BeforeEach
    void takeUp() {
        takeUp(0, 0, 0);
    }

    @Test
    void anAnnouncedResponseGetsItsMailbox() throws InterruptedException {
        // Given
        var expected = loop.expect(RESPONSE);
        // When
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.says(0, "hello"), anna.ends(END));
        // Then
        assertThat(read(expected)).hasSize(2).last().isEqualTo(FINISHED);
        assertThat(recovered).isEmpty();
        assertThat(loop.awaited()).isZero();
    }

    @Test
    void aResponseThatNobodyHereExpectedIsRecoveredOnceWithAllItsOutputs() throws InterruptedException {
        // When
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        follow(anna.says(0, "hello"), WorkerVoice.frame(accepted()), anna.ends(END));
        // Then
        assertThat(recovered).hasSize(1);
        assertThat(read(recovered.getFirst().handle)).hasSize(2).last().isEqualTo(FINISHED);
    }

    @Test
    void aRecoveredResponseIsNotLostToAReaderThatComesLate() throws InterruptedException {
        // Given
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        // When
        for (int i = 0; i < 10 * MAILBOX_CAPACITY; i++) {
            follow(anna.says(0, "more"));
        }
        follow(anna.ends(END));
        // Then
        assertThat(read(recovered.getFirst().handle)).last().isEqualTo(FINISHED);
    }

    @Test
    void aWithdrawnResponseLeavesNothingBehind() {
        // Given
        loop.expect(RESPONSE);
        // When
        loop.unexpect(RESPONSE);
        // Then
        assertThat(loop.awaited()).isZero();
    }

    @Test
    void framesOfResponsesThatBeganBeforeWeReadAreNobodys() {
        // When
        follow(anna.fence(RINGS.worker()), anna.says(0, "hello"), anna.ends(END));
        // Then
        assertThat(recovered).isEmpty();
        assertThat(loop.resumeOffsets()).containsEntry(PARTITION, end);
    }

    @Test
    void aSuccessorReadsFromTheOldestResponseThatIsNotDone() {
        // Given
        var first = loop.expect(RESPONSE);
        var second = loop.expect(OTHER);
        follow(
                WorkerVoice.frame(accepted()),
                anna.fence(RINGS.worker()),
                WorkerVoice.frame(OTHER, accepted()),
                other.fence(RINGS.worker()));
        assertThat(loop.resumeOffsets()).as("both run").containsEntry(PARTITION, 0L);

        // When
        follow(anna.ends(END));
        var ended = loop.resumeOffsets();
        first.settle();
        second.settle();
        follow();
        var settled = loop.resumeOffsets();
        follow(other.ends(END));
        var done = loop.resumeOffsets();

        // Then
        assertThat(ended).as("one ended and is not settled").containsEntry(PARTITION, 0L);
        assertThat(settled).as("the other is settled and has not ended").containsEntry(PARTITION, 2L);
        assertThat(done).containsEntry(PARTITION, end);
    }

    @Test
    void aJobSaysFromWhereItsLogIsNewsHoweverLongItWaited() {
        // Given a response that waits while another one speaks
        var waiting = loop.expect(RESPONSE);
        loop.expect(OTHER);
        assertThat(waiting.quietUntil()).as("nothing is known").isZero();
        follow(WorkerVoice.frame(accepted()), WorkerVoice.frame(OTHER, accepted()), other.fence(RINGS.worker()));
        follow(other.says(0, "hello"), other.says(0, "again"));

        // When
        long whileItWaits = waiting.quietUntil();
        follow(anna.fence(RINGS.worker()), anna.says(0, "hello"), other.says(0, "more"));

        // Then
        assertThat(whileItWaits).isEqualTo(5);
        assertThat(waiting.quietUntil()).as("the fence, for whoever takes over").isEqualTo(5);
        assertThat(end).isEqualTo(8);
    }

    @Test
    void readingBeginsWithinWhatTheLogHolds() {
        takeUp(7, 10, 20);
        assertThat(consumer.position(FRAMES)).as("deleted").isEqualTo(10);

        takeUp(25, 10, 20);
        assertThat(consumer.position(FRAMES)).as("not there yet").isEqualTo(20);

        takeUp(15, 10, 20);
        assertThat(consumer.position(FRAMES)).isEqualTo(15);
        assertThat(loop.resumeOffsets()).containsEntry(PARTITION, 15L);
    }

    @Test
    void whatIsNoFrameIsPassedOver() throws InterruptedException {
        // Given
        var expected = loop.expect(RESPONSE);
        // When
        append("key", "what is this?".getBytes(StandardCharsets.US_ASCII));
        append("key", null);
        append("key", new byte[0]);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        // Then
        assertThat(read(expected)).containsExactly(FINISHED);
    }

    @Test
    void aFrameThatDoesNotOpenEndsItsResponseAndNoOther() throws InterruptedException {
        // Given
        var poisoned = loop.expect(RESPONSE);
        var sound = loop.expect(OTHER);
        follow(
                WorkerVoice.frame(accepted()),
                anna.fence(RINGS.worker()),
                WorkerVoice.frame(OTHER, accepted()),
                other.fence(RINGS.worker()));
        // When
        follow(
                anna.garbled(anna.says(0, "hello")),
                anna.says(0, "after the hole"),
                other.says(0, "hello"),
                other.ends(END));
        follow(bus.frames().toArray(Frame[]::new));
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
        assertThat(read(poisoned)).containsExactly(FAILED);
        assertThat(read(sound)).hasSize(2).last().isEqualTo(FINISHED);
    }

    @Test
    void aFenceThatDoesNotOpenEndsItsResponse() throws InterruptedException {
        // Given
        var expected = loop.expect(RESPONSE);
        // When
        follow(
                WorkerVoice.frame(accepted()),
                TestKeys.signed(anna.fence(RINGS.worker())
                        .withBody(other.fence(RINGS.worker()).body())),
                anna.says(0, "nobody can read this"),
                anna.thinks(1, "nor this"));
        follow(bus.frames().toArray(Frame[]::new));
        // Then
        assertThat(read(expected)).containsExactly(FAILED);
    }

    @Test
    void anEndThatDoesNotOpenIsStillAnEnding() throws InterruptedException {
        // Given
        var expected = loop.expect(RESPONSE);
        // When
        follow(
                WorkerVoice.frame(accepted()),
                anna.fence(RINGS.worker()),
                anna.says(0, "hello"),
                anna.garbled(anna.ends(END)));
        // Then
        assertThat(read(expected)).hasSize(2).last().isEqualTo(FAILED);
        assertThat(bus.frames()).as("the log has its end").isEmpty();
    }

    @Test
    void aResponseThatCannotBeTakenUpIsEndedAndForgotten() {
        // Given
        loop = loop(_ -> {
            throw new IllegalStateException("no");
        });
        takeUp(0, 0, 0);
        // When
        follow(WorkerVoice.frame(accepted()));
        follow(bus.frames().toArray(Frame[]::new));
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
        assertThat(loop.resumeOffsets()).containsEntry(PARTITION, end);
    }

    @Test
    void theOwnerDoesNothingBeforeItHasReadWhatIsThere() {
        // Given
        takeUp(0, 0, 3);
        loop.expect(RESPONSE).abandon();
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        var before = bus.ends();
        // When
        follow(anna.says(0, "hello"));
        // Then
        assertThat(before).isEmpty();
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void whatEndedWhileWeWereAwayIsNotEndedAgain() {
        // Given
        takeUp(0, 0, 3);
        loop.expect(RESPONSE).abandon();
        // When
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        // Then
        assertThat(bus.frames()).isEmpty();
    }

    @Test
    void aReaderThatFallsBehindHoldsUpNobody() throws InterruptedException {
        // Given
        var slow = loop.expect(RESPONSE);
        var quick = loop.expect(OTHER);
        follow(
                WorkerVoice.frame(accepted()),
                anna.fence(RINGS.worker()),
                WorkerVoice.frame(OTHER, accepted()),
                other.fence(RINGS.worker()));
        // When
        for (int i = 0; i <= MAILBOX_CAPACITY; i++) {
            follow(anna.says(0, "more"));
        }
        follow(other.ends(END));
        // Then
        assertThat(read(quick)).containsExactly(FINISHED);
        assertThat(read(slow)).isNotEmpty();
        assertThat(slow.mailbox().exhausted()).isTrue();
    }

    @Test
    void aBrokerThatFailsOnceLosesNothing() throws InterruptedException {
        // Given
        var expected = loop.expect(RESPONSE);
        consumer.setPollException(new KafkaException("away"));
        // When
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        follow();
        // Then
        assertThat(read(expected)).containsExactly(FINISHED);
    }

    @Test
    void readingGoesOnWhereTheLogBeginsWhenItsStartWasDeleted() {
        // Given
        consumer.updateBeginningOffsets(Map.of(FRAMES, 10L));
        consumer.setPollException(new OffsetOutOfRangeException(Map.of(FRAMES, 0L)));
        // When
        loop.follow();
        // Then
        assertThat(consumer.position(FRAMES)).isEqualTo(10);
    }

    @Test
    void aDecisionThatFailsHoldsUpNoOtherResponse() throws InterruptedException {
        // Given
        loop.expect(RESPONSE).abandon();
        var sound = loop.expect(OTHER);
        bus.producer.sendException = new KafkaException("away");
        // When
        follow(WorkerVoice.frame(accepted()), WorkerVoice.frame(OTHER, accepted()), other.fence(RINGS.worker()));
        follow(other.ends(END));
        // Then
        assertThat(read(sound)).containsExactly(FINISHED);
    }

    @Test
    void closingEndsTheLoopAndItsConsumer() throws InterruptedException {
        // Given
        var thread = Thread.ofPlatform().start(loop);
        // When
        loop.close();
        boolean over = thread.join(Duration.ofSeconds(10));
        // Then
        assertThat(over).isTrue();
        assertThat(consumer.closed()).isTrue();
    }

    /// Lets the loop read from `from` a log that holds `beginning` to `end`.
    private void takeUp(long from, long beginning, long end) {
        consumer.updateBeginningOffsets(Map.of(FRAMES, beginning));
        var stretch = FollowedPartition.Stretch.of(from, beginning, end);
        loop.claim(Map.of(PARTITION, stretch));
        loop.follow(PARTITION, stretch, stretch);
        loop.follow();
    }

    private LogConsumer loop(FollowedResponses.Recovery recover) {
        var fleet = new FleetMembership("gateway-1", 4, Duration.ofMillis(500));
        var admission = TestAdmission.of(fleet, bus.decisions());
        var rules = new RecoveryPolicy(
                TestStreamSettings.defaults(),
                fleet,
                bus.decisions(),
                admission,
                (_, told) -> told.accept(List.of()),
                () -> Instant.ofEpochMilli(1_000));
        EndOffsets ends = (partitions, answer) -> partitions.forEach(number -> answer.ends(number, end));
        var responses = new FollowedResponses(MAILBOX_CAPACITY, RINGS.gateway(), rules, admission, recover);
        return new LogConsumer(responses, ends, fleet::ownBeats, consumer);
    }

    /// Appends frames, then lets the loop take and oversee once.
    private void follow(Frame... frames) {
        for (var frame : frames) {
            append(frame.record().key(), frame.encode());
        }
        loop.follow();
        loop.oversee();
    }

    private void append(@Nullable String key, byte @Nullable [] value) {
        consumer.addRecord(new ConsumerRecord<>(Topic.FRAMES, PARTITION, end++, key, value));
    }

    private static List<ModelOutput> read(ReaderHandle handle) throws InterruptedException {
        var mailbox = handle.mailbox();
        var outputs = new ArrayList<ModelOutput>();
        for (var output = mailbox.poll(0); output != null; output = mailbox.poll(0)) {
            outputs.add(output);
        }
        return outputs;
    }
}
