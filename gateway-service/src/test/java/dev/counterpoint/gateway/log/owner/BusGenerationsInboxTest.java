package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.TestSubmissions.submission;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Submissions on their way to inboxes.
class BusGenerationsInboxTest extends HandTurnedGenerations {
    @Test
    void withAFreeSlotTheTicketLeavesWithFrameZeroInside() {
        // Given
        inboxBeats();
        // When
        start(submission(false), EVERYTHING);
        // Then
        assertThat(bus.tickets()).singleElement().satisfies(ticket -> {
            assertThat(ticket.first()).isNotNull();
            assertThat(ticket.first().encode())
                    .isEqualTo(bus.frames().getFirst().encode());
            assertThat(ticket.acceptedOffset()).isEqualTo(JobTicket.NOT_YET);
            assertThat(ticket.resent()).isFalse();
        });
    }

    @Test
    void theFirstByteWaitsForFrameZeroAndNotForTheTicket() {
        // Given
        inboxBeats();
        // When
        start(submission(false), Predicate.not(Predicate.isEqual("ticket")));
        // Then
        assertThat(bus.frames()).extracting(Frame::kind).containsExactly(FrameKind.ACCEPTED);
        assertThat(admission.keeps(RESPONSE)).as("the ticket goes again").isTrue();

        // When
        takes = EVERYTHING;
        admission.release();
        // Then
        assertThat(bus.tickets()).singleElement().satisfies(ticket -> {
            assertThat(ticket.first()).isNull();
            assertThat(ticket.acceptedOffset()).isZero();
            assertThat(ticket.resent()).isTrue();
        });
    }

    @Test
    void whenFrameZeroIsLostTheWorkerOfItsTicketIsStopped() {
        // Given
        inboxBeats();
        // When
        assertThatThrownBy(() -> start(submission(false), kind -> !kind.equals(FrameKind.ACCEPTED.name())))
                .isInstanceOf(BackendUnavailableException.class);
        // Then
        assertThat(bus.tickets()).hasSize(1);
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.NOT_QUEUED);
        assertThat(bus.controls()).containsExactly(new StopCommand(RESPONSE, Integer.MAX_VALUE));
        assertThat(admission.knows(RESPONSE)).isFalse();
        assertThat(inboxes.fate(RESPONSE, 1)).isEqualTo(Inboxes.Fate.STANDS);
    }

    @Test
    void whatWaitsForASlotGetsItsTicketLaterWithTheOffset() {
        // Given
        inboxBeats(0);
        takes = EVERYTHING;
        admission.reserve(RESPONSE, TENANT);
        // When
        generations().start(RESPONSE, submission(false));
        // Then
        assertThat(bus.frames()).hasSize(1);
        assertThat(bus.tickets()).isEmpty();

        // When
        inboxBeats(1);
        // Then
        assertThat(bus.tickets()).singleElement().satisfies(ticket -> {
            assertThat(ticket.acceptedOffset()).isZero();
            assertThat(ticket.first()).as("small").isNotNull();
            assertThat(ticket.resent()).isFalse();
        });
    }
}
