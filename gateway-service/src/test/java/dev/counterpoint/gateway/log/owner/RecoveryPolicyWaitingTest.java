package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.DEADLINE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.TENANT;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.TestAdmission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Responses that wait in this gateway until workers have room.
class RecoveryPolicyWaitingTest extends OwnedResponse {
    private final FleetMembership slots = new FleetMembership(SELF, CONFIG.deadAfterBeats(), CONFIG.beatInterval());
    private final List<JobTicket> sent = new ArrayList<>();
    private final Admission queue = TestAdmission.of(slots, (job, _) -> sent.add(job.ticket()));
    private final RecoveryPolicy owner = new RecoveryPolicy(
            CONFIG,
            fleet,
            bus.decisions(),
            queue,
            (_, told) -> told.accept(List.of()),
            () -> Instant.ofEpochMilli(nowMillis));

    @Override
    void look() {
        owner.apply(response, fleet.ownBeats());
    }

    @Test
    void whatWaitsHereIsNotQueuedAgainHoweverLong() {
        // When
        passWithFreeSlots(10 * CONFIG.requeueAfterBeats());
        // Then
        assertThat(queue.keeps(RESPONSE)).isTrue();
        assertThat(bus.producer.history()).isEmpty();
    }

    @Test
    void whatAnotherGatewayAcceptedWaitsInOursAtOnce() {
        // When
        look();
        look();
        slotIsFree();
        // Then
        assertThat(sent).containsExactly(response.ticket(1));
    }

    @Test
    void patienceBeginsWhenTheTicketIsLetThrough() {
        // Given
        passWithFreeSlots(10 * CONFIG.requeueAfterBeats());
        slotIsFree();
        // When
        passWithFreeSlots(CONFIG.requeueAfterBeats() - 1);
        var early = bus.tickets();
        passWithFreeSlots(1);
        // Then
        assertThat(early).isEmpty();
        assertThat(bus.tickets()).containsExactly(response.ticket(1));
    }

    @Test
    void whatIsReservedIsNotEnteredTwice() {
        // Given
        response = followed();
        queue.forget(RESPONSE);
        queue.reserve(RESPONSE, TENANT);
        // When
        look();
        slotIsFree();
        // Then
        assertThat(sent).as("its own gateway is about to enter it").isEmpty();
    }

    @Test
    void whatExpiresWhileItWaitsIsNeverSent() {
        // Given
        look();
        nowMillis = DEADLINE + 1;
        // When
        look();
        slotIsFree();
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.EXPIRED);
        assertThat(sent).isEmpty();
        assertThat(queue.knows(RESPONSE)).isFalse();
    }

    @Test
    void aLaterAttemptWaitsForNobody() {
        // Given
        says(anna.fence(RINGS.worker()), reissue(2));
        // When
        passWithFreeSlots(CONFIG.requeueAfterBeats());
        // Then
        assertThat(queue.knows(RESPONSE)).isFalse();
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(2);
    }

    private void slotIsFree() {
        slots.accept(TestAdmission.beat("worker-1", MODEL, 1, 1));
        queue.release();
    }
}
