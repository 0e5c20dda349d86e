package dev.counterpoint.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameZeroTest {
    private static final ResponseId RESPONSE = ResponseId.create(1_000, 3);
    private static final int SMALL = 1_000;
    private static final int LARGE = 100_000;
    private static final int HUGE = 1_000_000;
    private static final JobTicket TICKET =
            new JobTicket(RESPONSE, JobTicket.NOT_YET, 1, "anna", Set.of(), 9, 0, 1, null, false, UnknownFields.NONE);

    @Test
    void aTicketBesideItCarriesItAndNoOffset() {
        var ticket = zero(LARGE).complete(TICKET, 0);

        assertThat(ticket.first()).isNotNull();
        assertThat(ticket.acceptedOffset()).isEqualTo(JobTicket.NOT_YET);
        assertThat(ticket.passedOver()).isZero();
    }

    @Test
    void aTicketAfterItSaysWhereItStandsAndCarriesItWhereItIsSmall() {
        // Given
        var small = zero(SMALL);
        var large = zero(LARGE);
        // When
        small.appended(40);
        large.appended(40);
        // Then
        assertThat(small.complete(TICKET, 45)).satisfies(ticket -> {
            assertThat(ticket.first()).isNotNull();
            assertThat(ticket.acceptedOffset()).isEqualTo(40);
            assertThat(ticket.readFrom()).isEqualTo(45);
        });
        assertThat(large.complete(TICKET, 45)).satisfies(ticket -> {
            assertThat(ticket.first()).isNull();
            assertThat(ticket.acceptedOffset()).isEqualTo(40);
        });
    }

    @Test
    void aTicketThatIsSentAgainCarriesNone() {
        // Given
        var zero = zero(SMALL);
        zero.appended(40);
        // When
        var again = zero.complete(TICKET.again(JobTicket.NOT_YET), 0);
        // Then
        assertThat(again.first()).isNull();
        assertThat(again.resent()).isTrue();
        assertThat(again.acceptedOffset()).isEqualTo(40);
    }

    @Test
    void aHugeOneDoesNotTravelAndItsTicketWaitsForTheLog() {
        // Given
        var zero = zero(HUGE);
        var routing = TestJobs.of("anna", Band.NORMAL).routing();
        var job = new PendingJob(TICKET, routing, now -> zero.complete(now, 0), JobSpans.NONE, 3);
        // Then
        assertThat(zero.travels()).isFalse();
        assertThat(job.dispatched()).isEmpty();

        // When
        zero.appended(40);
        // Then
        assertThat(job.dispatched()).isPresent();
    }

    private static FrameZero zero(int bytes) {
        return new FrameZero(Frame.decision(RESPONSE, 1, FrameKind.ACCEPTED, new byte[bytes]));
    }
}
