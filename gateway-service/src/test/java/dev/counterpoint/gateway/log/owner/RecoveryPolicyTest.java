package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.DEADLINE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryPolicyTest extends OwnedResponse {
    @Test
    void whileNothingIsWrongTheOwnerDoesNothing() {
        // Given
        says(anna.fence(RINGS.worker()));
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
        says(anna.fence(RINGS.worker()), anna.says(0, "one"));
        passWith("bert", CONFIG.deadAfterBeats() - 1);
        assertThat(bus.producer.history()).isEmpty();
        // When
        passWith("bert", DECISION_PATIENCE - 1);
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(bus.producer.history()).as("before it is acknowledged").hasSize(1);

        // When
        bus.acknowledgeAll();
        // Then
        assertThat(bus.tickets())
                .extracting(JobTicket::response, JobTicket::attempt, JobTicket::acceptedOffset)
                .containsExactly(tuple(RESPONSE, 2, OFFSET));
        assertThat(bus.controls()).containsExactly(new StopCommand(RESPONSE, 2));

        // When
        says(reissue(2));
        pass(CONFIG.requeueAfterBeats() - 1);
        // Then
        assertThat(bus.producer.history()).hasSize(3);
    }

    @Test
    void aWorkerWithoutBeatsWhoseResponseMovesIsNotDead() {
        // Given
        alive(anna.worker(), 0);
        says(anna.fence(RINGS.worker()));
        // When
        for (int beat = 0; beat < 100; beat++) {
            if (beat % 2 == 0) {
                says(anna.progress());
            }
            passWith("bert", 1);
        }
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void theOnlyWorkersResponseWaitsForAnotherWorker() {
        // Given
        alive(anna.worker(), 0);
        says(anna.fence(RINGS.worker()));
        // When
        pass(1_000);
        var early = bus.reissues();
        passWith("bert", CONFIG.deadAfterBeats() + 1);
        // Then
        assertThat(early).isEmpty();
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void aResponseForAClientOfAnotherGatewayEndsWithThatGateway() {
        // Given
        response.dependOnGateway("gateway-2");
        says(anna.fence(RINGS.worker()));
        for (int beat = 0; beat < 100; beat++) {
            fleet.accept(new Heartbeat("gateway-2", null, 0));
            says(anna.progress());
            passWith(anna.worker(), 1);
        }
        assertThat(bus.producer.history()).isEmpty();
        // When
        for (int beat = 0; beat < CONFIG.hungAfterBeats(); beat++) {
            says(anna.progress());
            passWith(anna.worker(), 1);
        }
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void onAnotherOwnersPartitionOnlyAReadersLeavingIsSaid() {
        // Given
        says(anna.fence(RINGS.worker()), anna.handover());
        nowMillis = DEADLINE + 1;
        // When
        rules.applyForReader(response, 0);
        var decided = bus.frames();
        response.handle.abandon();
        rules.applyForReader(response, 1);
        rules.applyForReader(response, 2);
        // Then
        assertThat(decided).isEmpty();
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);

        // When it got lost
        bus.loseNext();
        rules.applyForReader(response, 1 + DECISION_PATIENCE);
        // Then
        assertThat(bus.ends()).hasSize(2);
    }

    @Test
    void aWorkerThatLivesAndSaysNothingAboutAResponseHangs() {
        // Given
        says(anna.fence(RINGS.worker()));
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
        says(anna.fence(RINGS.worker()));
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
        says(anna.fence(RINGS.worker()), anna.handover());
        // When
        look();
        // Then
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void aBrokenSequenceIsReissuedAtOnce() {
        // Given
        says(anna.fence(RINGS.worker()), anna.loses().says(0, "two"));
        // When
        look();
        // Then
        assertThat(bus.reissues()).containsExactly(2);
    }

    @Test
    void thereIsNoSecondDecisionBeforeTheFirstCameBack() {
        // Given
        says(anna.fence(RINGS.worker()), anna.loses().says(0, "two"));
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
        says(anna.fence(RINGS.worker()), anna.handover());
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
        bus.acknowledgeAll();
        assertThat(bus.controls()).contains(new StopCommand(RESPONSE, Integer.MAX_VALUE));
    }

    private void loseAttempt(int attempt) {
        var worker = new WorkerVoice(attempt, attempt);
        says(worker.fence(RINGS.worker()), worker.handover());
        look();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsNotDoneByItsDeadlineIsEnded(boolean running) {
        // Given
        if (running) {
            says(anna.fence(RINGS.worker()));
        }
        nowMillis = DEADLINE;
        look();
        assertThat(bus.producer.history()).isEmpty();
        // When
        nowMillis = DEADLINE + 1;
        look();
        look();
        // Then
        assertThat(bus.controls()).as("before the log has the end").isEmpty();

        // When
        bus.acknowledgeAll();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.EXPIRED);
        assertThat(bus.controls()).containsExactly(new StopCommand(RESPONSE, Integer.MAX_VALUE));
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
        says(anna.fence(RINGS.worker()), reissue(2));
        // When
        passWithFreeSlots(CONFIG.requeueAfterBeats());
        // Then
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(2);
        assertThat(bus.reissues()).isEmpty();
    }

    @Test
    void anAbandonedResponseIsCancelledOnceWhateverItsState() {
        // Given
        response.handle.abandon();
        // When
        look();
        look();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CANCELLED);
    }

    @Test
    void aLostCancelIsTakenAgain() {
        // Given
        response.handle.abandon();
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
        says(anna.fence(RINGS.worker()));
        says(anna.garbled(anna.says(0, "hello")));
        // When
        look();
        look();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
    }

    @Test
    void anEndedResponseIsLeftAlone() {
        // Given
        says(anna.fence(RINGS.worker()), anna.ends(new End(End.Finish.STOP, 1, 0, 1, 0, 0)));
        response.handle.abandon();
        nowMillis = DEADLINE + 1;
        // When
        pass(100);
        // Then
        assertThat(bus.producer.history()).isEmpty();
    }
}
