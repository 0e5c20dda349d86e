package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.accepted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.log.follow.EndOffsets;
import dev.counterpoint.gateway.log.follow.FollowedPartition;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.log.follow.LogConsumer;
import dev.counterpoint.gateway.log.follow.ReaderHandle;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop turned by hand while partitions come and go, and while its reader is late.
class MovedPartitionsTest {
    private static final int PARTITION = RESPONSE.partition();
    private static final TopicPartition FRAMES = new TopicPartition(Topic.FRAMES, PARTITION);
    private static final ResponseId OTHER = new ResponseId(1_000, PARTITION, 1, 1);
    private static final LogConfig CONFIG = TestStreamSettings.defaults();
    private static final End END = new End(End.Finish.STOP, 10, 0, 5, 2, 0);
    private static final ModelOutput FINISHED = new ModelOutput.Finished(END);
    private static final ModelOutput LOST = new ModelOutput.Stopped(OwnerEnd.Reason.LOST_WITH_BUS);
    private static final String SELF = "gateway-1";
    private static final long LATER = Duration.ofHours(1).toNanos();

    private static final Rings RINGS = Rings.ofTests();

    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("none");
    private final Appended bus = new Appended();
    private final FleetMembership fleet = new FleetMembership(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
    private final List<FollowedResponse> recovered = new ArrayList<>();
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);
    private final LogConsumer loop = loop();
    private final List<Frame> log = new ArrayList<>();
    /// What the broker answers; empty when it does not.
    private OptionalLong brokersEnd = OptionalLong.empty();

    @BeforeEach
    void own() {
        takeUp(0);
    }

    @Test
    void whatRunsOrWaitsIsEndedWhenTheBusIsLost() throws InterruptedException {
        // Given
        var running = loop.expect(RESPONSE);
        var waiting = loop.expect(OTHER);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        // When
        loop.lose();
        loop.follow();
        // Then
        assertThat(running.mailbox().poll(0)).isEqualTo(LOST);
        assertThat(waiting.mailbox().poll(0)).isEqualTo(LOST);
    }

    @Test
    void onAPartitionThatWentAwayTheReadersGoOnAndNothingIsDecided() throws InterruptedException {
        // Given
        var expected = loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        // When
        loop.letGo(Set.of(PARTITION));
        follow(anna.handover());
        var decided = bus.frames();
        var berta = new WorkerVoice(2, 0xB);
        follow(WorkerVoice.reissue(2), berta.fence(RINGS.worker()), berta.ends(END));
        // Then
        assertThat(decided).isEmpty();
        assertThat(loop.resumeOffsets()).isEmpty();
        assertThat(loop.ready()).isEmpty();
        assertThat(expected.mailbox().poll(0)).isEqualTo(FINISHED);
    }

    @Test
    void aReaderThatLeavesAPartitionThatWentAwayIsStillHeard() {
        // Given
        var expected = loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        loop.letGo(Set.of(PARTITION));
        // When
        expected.abandon();
        expected.settle();
        follow();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void whatOthersAcceptOnAPartitionThatWentAwayIsTheirs() {
        // Given
        loop.letGo(Set.of(PARTITION));
        // When
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        // Then
        assertThat(recovered).isEmpty();
    }

    @Test
    void aResponseNamedBeforeItsPartitionWentAwayIsStillFollowed() throws InterruptedException {
        // Given
        loop.letGo(Set.of(PARTITION));
        follow();
        // When
        var expected = loop.expect(RESPONSE);
        loop.dropIdle(System.nanoTime() + LATER);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        // Then
        assertThat(expected.mailbox().poll(0)).isEqualTo(FINISHED);
    }

    @Test
    void aPartitionThatWentAwayIsReadWhileItHasReaders() {
        // Given
        var expected = loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.ends(END));
        loop.letGo(Set.of(PARTITION));
        follow();
        // When
        loop.dropIdle(System.nanoTime() + LATER);
        var withReader = Set.copyOf(consumer.assignment());
        expected.settle();
        follow();
        loop.dropIdle(System.nanoTime() + LATER);
        // Then
        assertThat(withReader).containsExactly(FRAMES);
        assertThat(consumer.assignment()).isEmpty();
        assertThatThrownBy(() -> loop.expect(OTHER)).isInstanceOf(BackendUnavailableException.class);
        assertThat(loop.awaited()).isZero();
    }

    @Test
    void aPartitionThatComesBackIsReadAgainAndNothingIsTakenTwice() throws InterruptedException {
        // Given a response of ours, and one that another owner accepted meanwhile
        var expected = loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()), anna.says(0, "one"));
        loop.letGo(Set.of(PARTITION));
        follow(WorkerVoice.frame(OTHER, accepted()), anna.says(0, "two"));
        assertThat(recovered).isEmpty();
        // When
        takeUp(0);
        readAgain();
        follow(anna.ends(END));
        // Then
        assertThat(texts(expected)).containsExactly("one", "two", null);
        assertThat(recovered).extracting(response -> response.id).containsExactly(OTHER);
        assertThat(loop.resumeOffsets()).containsEntry(PARTITION, 0L);
    }

    @Test
    void nobodyKeepsAPromptInMemoryWhileItsResponseWaits() {
        // Given
        var usual = accepted();
        var large = new Accepted(
                usual.tenant(),
                usual.key(),
                usual.model(),
                usual.acceptedAtMillis(),
                usual.deadlineMillis(),
                usual.rawReaders(),
                usual.background(),
                usual.stored(),
                usual.band(),
                new Accepted.SealedParts(
                        usual.sealed().echo(),
                        new byte[1_000_000],
                        usual.sealed().summaryJob(),
                        usual.sealed().auditTerms()),
                "gateway-2",
                1);
        // When
        follow(WorkerVoice.frame(large));
        // Then
        assertThat(recovered).singleElement().satisfies(followed -> {
            assertThat(followed.accepted.sealed().job()).isEmpty();
            assertThat(followed.accepted.gateway()).isEqualTo("gateway-2");
        });
    }

    @Test
    void whileTheReaderIsLateNobodyLooksSilent() {
        // Given
        loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        // When the log holds a frame that is not read yet
        brokersEnd = OptionalLong.of(log.size() + 1);
        pass(1_000);
        // Then
        assertThat(bus.frames()).isEmpty();
    }

    @Test
    void whileTheBrokerDoesNotAnswerNobodyLooksSilent() {
        // Given
        loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        // When
        brokersEnd = OptionalLong.empty();
        pass(1_000);
        // Then
        assertThat(bus.frames()).isEmpty();
    }

    @Test
    void whatIsSilentInALogThatIsReadToItsEndHangs() {
        // Given
        loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        brokersEnd = OptionalLong.of(log.size());
        // When
        pass(CONFIG.hungAfterBeats() - 1);
        var early = bus.frames();
        pass(2);
        // Then
        assertThat(early).isEmpty();
        assertThat(bus.kinds()).containsExactly(FrameKind.REISSUE);
    }

    @Test
    void aGatewayThatStoodStillReissuesNothingWhenItWakes() {
        // Given
        loop.expect(RESPONSE);
        follow(WorkerVoice.frame(accepted()), anna.fence(RINGS.worker()));
        brokersEnd = OptionalLong.of(log.size());
        pass(1);
        // When a minute of everybody else's beats and frames is there at once, and none of its own
        for (int second = 0; second < 60; second++) {
            workerBeats();
            append(anna.progress());
        }
        brokersEnd = OptionalLong.of(log.size());
        for (int i = 0; i < 3; i++) {
            loop.oversee();
        }
        loop.follow();
        pass(CONFIG.deadAfterBeats() + 1);
        // Then
        assertThat(bus.frames()).isEmpty();
    }

    private void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            workerBeats();
            fleet.accept(new Heartbeat(SELF, null, 0));
            loop.oversee();
        }
    }

    private void workerBeats() {
        fleet.accept(
                new Heartbeat(anna.worker(), new Heartbeat.Model(WorkerVoice.MODEL, "", 1_000, 1, 0, List.of()), 0));
    }

    private void takeUp(long from) {
        var stretch = new FollowedPartition.Stretch(from, log.size());
        loop.claim(Map.of(PARTITION, stretch));
        loop.follow(PARTITION, stretch, stretch);
        loop.follow();
    }

    /// What a real consumer does after it was set back.
    private void readAgain() {
        for (int offset = 0; offset < log.size(); offset++) {
            add(offset, log.get(offset));
        }
        loop.follow();
        loop.oversee();
    }

    private void follow(Frame... frames) {
        for (var frame : frames) {
            append(frame);
        }
        loop.follow();
        loop.oversee();
    }

    private void append(Frame frame) {
        add(log.size(), frame);
        log.add(frame);
    }

    private void add(long offset, Frame frame) {
        consumer.addRecord(new ConsumerRecord<>(
                Topic.FRAMES, PARTITION, offset, frame.record().key(), frame.encode()));
    }

    private LogConsumer loop() {
        EndOffsets ends = (partitions, answer) -> partitions.forEach(number -> {
            if (brokersEnd.isPresent()) {
                answer.ends(number, brokersEnd.getAsLong());
            } else {
                answer.failed(number);
            }
        });
        var admission = TestAdmission.of(fleet, (_, _) -> {});
        var rules = new RecoveryPolicy(
                CONFIG,
                fleet,
                bus.decisions(),
                admission,
                (_, told) -> told.accept(List.of()),
                () -> Instant.ofEpochMilli(1_000));
        var responses = new FollowedResponses(16, RINGS.gateway(), rules, admission, recovered::add);
        return new LogConsumer(responses, ends, fleet::ownBeats, consumer);
    }

    private static List<String> texts(ReaderHandle expected) throws InterruptedException {
        var texts = new ArrayList<String>();
        for (var output = expected.mailbox().poll(0);
                output != null;
                output = expected.mailbox().poll(0)) {
            texts.add(WorkerVoice.text(output));
        }
        return texts;
    }
}
