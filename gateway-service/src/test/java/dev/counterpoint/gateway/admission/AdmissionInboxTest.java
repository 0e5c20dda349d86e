package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Jobs for workers with inboxes.
class AdmissionInboxTest extends AdmissionOfOneGateway {
    @Test
    void asManyTicketsLeaveAsThereAreFreeSlotsAndTheRestWaits() {
        // Given
        inboxBeats(WORKER, 8, 3);
        // When
        enter("anna", NORMAL, 10);
        // Then
        assertThat(sent).hasSize(3).extracting(PendingJob::topic).containsOnly("jobs.gpt-oss-20b");
        assertThat(admission.waiting(NORMAL)).isEqualTo(7);
        assertThat(admission.backlog(TestJobs.MODEL).jobs()).isEqualTo(10);

        // When
        fenced(sent.get(0));
        // Then
        assertThat(sent).as("no slot was freed").hasSize(3);

        // When
        admission.ended(sent.get(0).response());
        // Then
        assertThat(sent).hasSize(4);
    }

    @Test
    void nothingStandsReadyWhileNoSlotIsFree() {
        // Given
        inboxBeats(WORKER, 32, 0);
        // When
        enter("anna", NORMAL, 10);
        // Then
        assertThat(sent).isEmpty();
    }

    @Test
    void gatewaysShareTheFreeSlots() {
        // Given
        fleet.accept(new Heartbeat("gateway-2", null, 0));
        inboxBeats(WORKER, 8, 4);
        // When
        enter("anna", NORMAL, 10);
        // Then
        assertThat(sent).hasSize(2);
    }

    @Test
    void workersWithoutAnInboxAreServedByTheShareGroupBesides() {
        // Given
        inboxBeats(WORKER, 8, 2);
        beats("old", 8, 1);
        // When
        enter("anna", NORMAL, 10);
        // Then
        assertThat(sent)
                .extracting(PendingJob::topic)
                .containsExactly(
                        "jobs.gpt-oss-20b", "jobs.gpt-oss-20b", "jobs.gpt-oss-20b.normal", "jobs.gpt-oss-20b.normal");
    }

    @Test
    void aLostTicketGoesAgainAndSaysSo() {
        // Given
        inboxBeats(WORKER, 8, 1);
        busTakes = false;
        enter("anna", NORMAL, 1);
        assertThat(sent).isEmpty();
        // When
        busTakes = true;
        admission.release();
        // Then
        assertThat(sent).singleElement().satisfies(job -> {
            assertThat(job.inbox()).isNotNull();
            assertThat(job.ticket().resent()).isTrue();
        });
    }

    @Test
    void onlyWhereWorkersHaveInboxesATicketLeavesBeforeFrameZeroIsAppended() {
        // Given
        beats("old", 8, 8);
        var job = TestJobs.of("anna", NORMAL);
        // When
        admission.enterEarly(job);
        // Then
        assertThat(sent).isEmpty();
        assertThat(admission.knows(job.response())).isFalse();

        // When
        inboxBeats(WORKER, 8, 8);
        admission.enterEarly(job);
        admission.enterNow(job);
        // Then
        assertThat(sent).extracting(PendingJob::response).containsExactly(job.response());
    }

    private void inboxBeats(String worker, int slots, int free) {
        var model = new Heartbeat.Model(TestJobs.MODEL, "", 1_000, slots, free, List.of());
        fleet.accept(new Heartbeat(worker, model, 0, null, 0, List.of(new InboxPartition(3, 0)), 500, 1));
        admission.release();
    }
}
