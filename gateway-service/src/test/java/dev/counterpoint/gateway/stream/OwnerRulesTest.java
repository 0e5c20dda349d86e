package dev.counterpoint.gateway.stream;

import static dev.counterpoint.gateway.stream.WorkerVoice.DEADLINE;
import static dev.counterpoint.gateway.stream.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.stream.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.stream.WorkerVoice.accepted;
import static dev.counterpoint.gateway.stream.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.audit.TraceRecord;
import dev.counterpoint.bus.fleet.Beat;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.Control;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.gateway.models.LiveFleet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One response under the eyes of its owner: frames and beats in, decisions out.
class OwnerRulesTest {
    private static final String SELF = "gateway-1";
    private static final StreamConfig CONFIG = Settings.defaults();
    private static final int DECISION_PATIENCE = 6;
    private static final long OFFSET = 42;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static Rings rings;

    private final Appended bus = new Appended();
    private final LiveFleet fleet = new LiveFleet(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
    private long nowMillis = 1_000;
    private final OwnerRules rules =
            new OwnerRules(CONFIG, fleet, bus.decisions(), () -> Instant.ofEpochMilli(nowMillis));
    private Followed response = followed();
    private final WorkerVoice anna = new WorkerVoice(1, 0xA);

    @BeforeAll
    static void generateKeys() throws IOException {
        rings = Rings.in(folder);
    }

    @Test
    void whileNothingIsWrongTheOwnerDoesNothing() {
        // Given
        says(anna.fence(rings.worker()));
        // When
        for (int beat = 0; beat < 1_000; beat++) {
            alive(anna.worker(), 0);
            says(anna.progress());
            pass(1);
        }
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void aDeadWorkersResponseIsReissuedOnceAndQueuedWhenTheLogHasIt() {
        // Given
        alive(anna.worker(), 0);
        says(anna.fence(rings.worker()));
        pass(CONFIG.deadAfterBeats() - 1);
        assertThat(bus.producer.history()).isEmpty();
        // When
        pass(DECISION_PATIENCE - 1);
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(bus.producer.history()).as("before it is acknowledged").hasSize(1);

        // When
        bus.acknowledgeAll();
        // Then
        assertThat(bus.tickets())
                .extracting(JobTicket::response, JobTicket::attempt, JobTicket::acceptedOffset)
                .containsExactly(tuple(RESPONSE, 2, OFFSET));
        assertThat(bus.controls()).containsExactly(new Control(RESPONSE, 2));

        // When
        says(reissue(2));
        pass(CONFIG.requeueAfterBeats() - 1);
        // Then
        assertThat(bus.producer.history()).hasSize(3);
    }

    @Test
    void aWorkerThatLivesAndSaysNothingAboutAResponseHangs() {
        // Given
        says(anna.fence(rings.worker()));
        // When
        passWith(anna.worker(), CONFIG.hungAfterBeats() - 1);
        var early = bus.reissues();
        passWith(anna.worker(), 1);
        // Then
        assertThat(early).isEmpty();
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void voidFramesOfAStrangerHideNoHang() {
        // Given
        says(anna.fence(rings.worker()));
        var stranger = new WorkerVoice(1, 0xC);
        // When
        for (int beat = 0; beat < CONFIG.hungAfterBeats(); beat++) {
            says(stranger.progress());
            passWith(anna.worker(), 1);
        }
        // Then
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void aHandoverIsReissuedAtOnce() {
        // Given
        says(anna.fence(rings.worker()), anna.handover());
        // When
        look();
        // Then
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void aBrokenSequenceIsReissuedAtOnce() {
        // Given
        says(anna.fence(rings.worker()), anna.loses().says(0, "two"));
        // When
        look();
        // Then
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void thereIsNoSecondDecisionBeforeTheFirstCameBack() {
        // Given
        says(anna.fence(rings.worker()), anna.loses().says(0, "two"));
        look();
        // When
        for (int beat = 1; beat < DECISION_PATIENCE; beat++) {
            says(anna.says(0, "void, since a frame is missing"));
            look();
            passWith(anna.worker(), 1);
        }
        // Then
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void aLostDecisionIsTakenAgainAfterAWhile() {
        // Given
        says(anna.fence(rings.worker()), anna.handover());
        look();
        bus.loseNext();
        // When
        passWith(anna.worker(), DECISION_PATIENCE - 1);
        var early = bus.reissues();
        passWith(anna.worker(), 1);
        bus.acknowledgeAll();
        // Then
        assertThat(early).containsExactly(2);
        assertThat(bus.reissues()).containsExactly(2, 2);
        assertThat(bus.tickets()).as("only of the one that arrived").hasSize(1);
    }

    @Test
    void whenEveryAttemptIsLostTheOwnerEndsTheResponse() {
        // Given
        for (int attempt = 1; attempt < CONFIG.attemptsMax(); attempt++) {
            loseAttempt(attempt);
            says(reissue(attempt + 1));
        }
        // When
        loseAttempt(CONFIG.attemptsMax());
        // Then
        assertThat(bus.reissues()).containsExactly(2, 3, 4);
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
        assertThat(bus.controls()).contains(new Control(RESPONSE, Integer.MAX_VALUE));
    }

    private void loseAttempt(int attempt) {
        var worker = new WorkerVoice(attempt, attempt);
        says(worker.fence(rings.worker()), worker.handover());
        look();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsNotDoneByItsDeadlineIsEnded(boolean running) {
        // Given
        if (running) {
            says(anna.fence(rings.worker()));
        }
        nowMillis = DEADLINE;
        look();
        assertThat(bus.producer.history()).isEmpty();
        // When
        nowMillis = DEADLINE + 1;
        look();
        look();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.EXPIRED);
        assertThat(bus.controls()).containsExactly(new Control(RESPONSE, Integer.MAX_VALUE));
    }

    @Test
    void aJobThatNobodyTakesThoughSlotsAreFreeIsQueuedAgain() {
        // Given
        passWithFreeSlots(CONFIG.requeueAfterBeats() - 1);
        var early = bus.tickets();
        // When
        passWithFreeSlots(CONFIG.requeueAfterBeats());
        // Then
        assertThat(early).isEmpty();
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(1);

        // When
        passWithFreeSlots(1);
        // Then
        assertThat(bus.tickets()).as("after waiting as long again").hasSize(2);
    }

    @Test
    void whileAllSlotsAreBusyAJobJustWaits() {
        // When
        passWith("anna", 1_000);
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void anAttemptThatNobodyFencesIsQueuedAgainUnderItsOwnNumber() {
        // Given
        says(anna.fence(rings.worker()), reissue(2));
        // When
        passWithFreeSlots(CONFIG.requeueAfterBeats());
        // Then
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(2);
        assertThat(bus.reissues()).isEmpty();
    }

    @Test
    void anAbandonedResponseIsCancelledOnceWhateverItsState() {
        // Given
        response.expected.abandon();
        // When
        look();
        look();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void aLostCancelIsTakenAgain() {
        // Given
        response.expected.abandon();
        look();
        bus.loseNext();
        // When
        pass(DECISION_PATIENCE);
        // Then
        assertThat(bus.ends()).hasSize(2);
    }

    @Test
    void aResponseThatCannotBeReadIsEndedOnce() {
        // Given
        says(anna.fence(rings.worker()));
        var foreign = new WorkerVoice(1, 0xA).says(0, "sealed with other keys");
        assertThatThrownBy(() -> says(foreign)).isInstanceOf(SealException.class);
        // When
        look();
        look();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
    }

    @Test
    void anEndedResponseIsLeftAlone() {
        // Given
        says(anna.fence(rings.worker()), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        response.expected.abandon();
        nowMillis = DEADLINE + 1;
        // When
        pass(100);
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void anAnswerWaitsForItsSummaryAsLongAsItMayAndNoLonger() {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary());
        says(anna.fence(rings.worker()), anna.thinks(0, "hm"), anna.says(1, "42"));
        // When
        for (int beat = 1; beat < CONFIG.summaryPatienceBeats(); beat++) {
            summarizerLives();
            says(anna.progress());
            pass(1);
        }
        assertThat(bus.producer.history()).isEmpty();
        pass(1);
        // Then
        assertThat(bus.kinds()).containsExactly(FrameKind.SUMMARY_ABANDONED);
    }

    @Test
    void withoutASummarizerNoAnswerWaits() {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary());
        says(anna.fence(rings.worker()), anna.thinks(0, "hm"), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        // When
        look();
        look();
        // Then
        assertThat(bus.kinds()).containsExactly(FrameKind.SUMMARY_ABANDONED);
    }

    @Test
    void aSummaryThatIsInTimeIsNotAbandoned() {
        // Given
        response = followed(WorkerVoice.acceptedWithSummary());
        says(anna.fence(rings.worker()), anna.thinks(0, "hm"));
        says(anna.sumsUp(0, 0, "It thinks."), anna.summedUp(1, 0));
        says(anna.says(1, "42"), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        // When
        pass(100);
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void whatTheOwnerEndsInAWorkersSteadIsHandedToTheAuditServiceAsItStandsInTheLog() {
        // Given
        response = followed(accepted(Role.AUDIT));
        var fence = anna.fence(rings.worker(), Role.AUDIT);
        var thought = anna.thinks(0, "hm");
        says(fence, thought, anna.says(1, "42"), anna.progress());
        says(WorkerVoice.ownerEnd(OwnerEnd.Reason.CANCELLED));
        response.expected.settle();
        assertThat(response.done()).isFalse();
        // When
        look();
        bus.acknowledgeAll();
        // Then
        assertThat(bus.traces()).singleElement().satisfies(record -> {
            assertThat(record.response()).isEqualTo(RESPONSE);
            assertThat(record.body()).isInstanceOfSatisfying(TraceRecord.Partial.class, partial -> {
                assertThat(partial.reason()).isEqualTo(OwnerEnd.Reason.CANCELLED);
                assertThat(partial.cut()).isFalse();
                assertThat(partial.frames().stream().map(Frame::decode)).containsExactly(fence, thought);
            });
        });
        assertThat(response.done()).isTrue();
    }

    @Test
    void aTraceThatTheBusDidNotTakeIsHandedOverAgain() {
        // Given
        response = followed(accepted(Role.AUDIT));
        says(WorkerVoice.ownerEnd(OwnerEnd.Reason.NOT_QUEUED));
        response.expected.settle();
        look();
        bus.loseNext();
        assertThat(response.done()).isFalse();
        // When
        pass(DECISION_PATIENCE);
        bus.acknowledgeAll();
        // Then
        assertThat(bus.traces()).hasSize(2);
        assertThat(response.done()).isTrue();
    }

    @Test
    void theAuditServiceGetsNothingFromTheOwnerOfWhatAWorkerEndedOrNobodyOptedInto() {
        // Given
        var audited = followed(accepted(Role.AUDIT));
        for (var frame :
                List.of(anna.fence(rings.worker(), Role.AUDIT), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)))) {
            audited.accept(frame, 0);
        }
        says(WorkerVoice.ownerEnd(OwnerEnd.Reason.CANCELLED));
        // When
        rules.apply(audited, 1);
        pass(10);
        // Then
        assertThat(bus.traces()).isEmpty();
    }

    private void summarizerLives() {
        fleet.accept(new Beat("summarizer-1", null, 0, Role.SUMMARIZER, 0));
    }

    private static Followed followed() {
        return followed(accepted());
    }

    private static Followed followed(Accepted accepted) {
        var followed = new Followed(
                RESPONSE,
                OFFSET,
                accepted,
                new Expected(new Mailbox(16)),
                new ResponseReader(accepted, rings.gateway()));
        followed.accept(WorkerVoice.frame(accepted), 0);
        return followed;
    }

    private void says(Frame... frames) {
        for (var frame : frames) {
            response.accept(frame, fleet.ownBeats());
        }
    }

    private void look() {
        rules.apply(response, fleet.ownBeats());
    }

    /// Lets so many of our beats come back, and looks after each.
    private void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            fleet.accept(new Beat(SELF, null, 0));
            look();
        }
    }

    private void passWith(String worker, int beats) {
        for (int i = 0; i < beats; i++) {
            alive(worker, 0);
            pass(1);
        }
    }

    private void passWithFreeSlots(int beats) {
        for (int i = 0; i < beats; i++) {
            alive("idle", 1);
            pass(1);
        }
    }

    private void alive(String worker, int freeSlots) {
        fleet.accept(new Beat(worker, new Beat.Model(MODEL, "", 1_000, 2, freeSlots, List.of()), 0));
    }
}
