package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.MODEL;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.admission.TestAdmission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/// Tickets in inboxes that their owner sends again. Each worker has one partition.
class RecoveryPolicyInboxTest extends OwnedResponse {
    private final Inboxes inboxes = new Inboxes(fleet);
    private final LogCommands commands = bus.decisions(inboxes);
    private final Admission queue = TestAdmission.of(inboxes, commands);
    private final RecoveryPolicy owner = new RecoveryPolicy(
            CONFIG, fleet, commands, queue, (_, told) -> told.accept(List.of()), () -> Instant.ofEpochMilli(nowMillis));

    @Override
    void look() {
        owner.apply(response, fleet.ownBeats());
        bus.acknowledgeAll();
    }

    @Test
    void theTicketOfADeadWorkerIsSentAgainAndTheSecondDeathCountsInTheLog() {
        // Given
        heard(0);
        look();
        queue.release();
        assertThat(partitions()).containsExactly(0);
        // When
        passBeside(CONFIG.deadAfterBeats(), 1, 2);
        // Then
        assertThat(bus.tickets()).hasSize(2).allSatisfy(RecoveryPolicyInboxTest::isSentAgain);
        assertThat(bus.reissues()).isEmpty();

        // When
        int second = partitions().getLast();
        passBeside(CONFIG.deadAfterBeats(), 3 - second);
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(1, 1, 2);
    }

    @Test
    void c1TheSecondAttemptWhoseTicketLosesTwoWorkersEndsTheResponse() {
        // Given
        var living = IntStream.range(0, 8).boxed().collect(Collectors.toCollection(ArrayList::new));
        living.forEach(this::heard);
        look();
        queue.release();
        // When
        for (int death = 1; death <= 4; death++) {
            living.remove(partitions().getLast());
            passBeside(
                    CONFIG.deadAfterBeats(),
                    living.stream().mapToInt(Integer::intValue).toArray());
            if (death == 2) {
                assertThat(bus.reports())
                        .as("the workers may have died of anything")
                        .isEmpty();
                says(reissue(2));
            }
        }
        // Then
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(1, 1, 2, 2);
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CRASHED_WORKER);
        assertThat(bus.reports())
                .extracting(SuspectReport::finding, SuspectReport::attempt, SuspectReport::worker)
                .containsExactly(tuple(SuspectReport.Finding.NEVER_FENCED, 2, null));
    }

    @Test
    void aJobThatIsReissuedWhileNoWorkerLivesGoesToTheFirstThatComes() {
        // Given
        heard(anna.worker(), 0, 4);
        says(anna.fence(RINGS.worker()), anna.handover());
        fleet.left(anna.worker());
        look();
        says(reissue(2));
        // When
        pass(CONFIG.requeueAfterBeats() / 2);
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(bus.tickets()).isEmpty();

        // When
        heard(1, 0);
        pass(1);
        // Then
        assertThat(bus.tickets()).singleElement().satisfies(ticket -> {
            isSentAgain(ticket);
            assertThat(ticket.attempt()).isEqualTo(2);
        });
    }

    @Test
    void aTicketThatItsWorkerLeavesGoesToAnotherOneOnce() {
        // Given
        heard(0);
        look();
        queue.release();
        // When
        for (int beat = 0; beat < 8; beat++) {
            heard(0, 0);
            heard(1, beat < 2 ? 1 : 0);
            heard(2, 1);
            pass(1);
        }
        // Then
        assertThat(partitions()).hasSize(2).doesNotHaveDuplicates();
    }

    /// Its worker may have stopped unheard, before frame 0 was in the log.
    @Test
    void aTakenTicketOfALivingWorkerWithoutAFenceIsSentAgainAfterAWhile() {
        // Given
        heard(0);
        look();
        queue.release();
        // When
        for (int beat = 1; beat < CONFIG.requeueAfterBeats(); beat++) {
            takes(0);
            pass(1);
        }
        int early = partitions().size();
        takes(0);
        pass(1);
        // Then
        assertThat(early).isEqualTo(1);
        assertThat(bus.tickets()).hasSize(2).last().satisfies(RecoveryPolicyInboxTest::isSentAgain);
    }

    @Test
    void aJobWhoseWorkerHangsGoesToAnotherOneThoughThatHasNoSlot() {
        // Given
        says(anna.fence(RINGS.worker()));
        // When
        for (int beat = 0; beat <= CONFIG.hungAfterBeats(); beat++) {
            heard(anna.worker(), 0, 4);
            heard(1, 0);
            pass(1);
        }
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(partitions()).containsExactly(1);
    }

    private static void isSentAgain(JobTicket ticket) {
        assertThat(ticket.resent()).isTrue();
        assertThat(ticket.acceptedOffset()).isEqualTo(OFFSET);
        assertThat(ticket.first()).isNull();
    }

    private List<Integer> partitions() {
        return bus.producer.history().stream()
                .filter(record -> record.topic().equals("jobs." + MODEL))
                .map(ProducerRecord::partition)
                .toList();
    }

    private void passBeside(int beats, int... workers) {
        for (int beat = 0; beat < beats; beat++) {
            for (int worker : workers) {
                heard(worker);
            }
            pass(1);
        }
    }

    /// The worker takes all that is in its inbox.
    private void takes(int worker) {
        beat("worker-" + worker, 4, new Heartbeat.InboxPartition(worker, 1_000));
    }

    private void heard(int worker) {
        heard(worker, 4);
    }

    private void heard(int worker, int free) {
        heard("worker-" + worker, worker, free);
    }

    private void heard(String worker, int partition, int free) {
        beat(worker, free, new Heartbeat.InboxPartition(partition, 0));
    }

    private void beat(String worker, int free, Heartbeat.InboxPartition inbox) {
        var model = new Heartbeat.Model(MODEL, "", 1_000, 4, free, List.of());
        fleet.accept(new Heartbeat(worker, model, 0, null, 0, List.of(inbox), 500, 1));
    }
}
