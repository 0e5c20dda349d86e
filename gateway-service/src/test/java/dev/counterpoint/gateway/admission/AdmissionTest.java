package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.HIGH;
import static dev.counterpoint.bus.kafka.Topic.Band.LOW;
import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.Topic.Band;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionTest extends AdmissionOfOneGateway {
    @Test
    void asManyTicketsLeaveAsThereAreFreeSlotsAndTheRestWaits() {
        // Given
        beats(WORKER, 8, 3);
        // When
        enter("anna", NORMAL, 10);
        // Then
        assertThat(sent).hasSize(3).extracting(PendingJob::topic).containsOnly("jobs.gpt-oss-20b");
        assertThat(admission.waiting(NORMAL)).isEqualTo(7);
        assertThat(admission.queued()).isEqualTo(3);
        assertThat(admission.backlog(TestJobs.MODEL).jobs()).isEqualTo(10);

        // When
        fenced(sent.getFirst());
        // Then
        assertThat(sent).as("no slot was freed").hasSize(3);

        // When
        admission.ended(sent.getFirst().response());
        // Then
        assertThat(sent).as("before the next beat").hasSize(4);
    }

    @Test
    void nothingLeavesWhileNoSlotIsFree() {
        // Given
        beats(WORKER, 32, 0);
        // When
        enter("anna", NORMAL, 10);
        // Then
        assertThat(sent).isEmpty();
    }

    @Test
    void gatewaysShareTheFreeSlots() {
        // Given
        fleet.accept(new Heartbeat("gateway-2", null, 0));
        beats(WORKER, 16, 6);
        // When
        enter("anna", NORMAL, 100);
        // Then
        assertThat(sent).hasSize(3);

        // When
        for (int i = 0; i < DEAD_AFTER; i++) {
            fleet.accept(new Heartbeat(SELF, null, 0));
        }
        beats(WORKER, 16, 6);
        // Then
        assertThat(sent).as("the other one is silent").hasSize(6);
    }

    @Test
    void aGatewayUsesTheSlotsForWhichOthersHaveNothing() {
        // Given
        fleet.accept(new Heartbeat("gateway-2", null, 0));
        beats(WORKER, 8, 8);
        enter("anna", NORMAL, 20);
        // When
        for (int taken = 0; taken < sent.size(); taken++) {
            fenced(sent.get(taken));
        }
        // Then
        assertThat(sent).hasSize(8);
    }

    @Test
    void withoutAWorkerAllWaitUntilOneComes() {
        // Given
        enter("anna", NORMAL, 3);
        assertThat(sent).isEmpty();
        // When
        beats(WORKER, 4, 4);
        // Then
        assertThat(sent).hasSize(3);
    }

    @Test
    void oneTenantsFloodDelaysAnotherByAFewJobs() {
        // Given
        beats(WORKER, 1, 1);
        enter("flood", NORMAL, 1_000);
        fenced(sent.getFirst());
        var before = sent.size();
        // When
        var other = enter("anna", NORMAL, 1).getFirst();
        for (int done = 0; !sent.contains(other); done++) {
            admission.ended(sent.get(done).response());
            fenced(sent.get(done + 1));
        }
        // Then
        assertThat(sent.indexOf(other) - before).isLessThanOrEqualTo(2);
    }

    @Test
    void urgentOnesGoFirstAndNoBandStarves() {
        // Given
        enter("anna", LOW, 50);
        enter("anna", NORMAL, 50);
        enter("anna", HIGH, 50);
        // When
        beats(WORKER, 16, 16);
        // Then
        assertThat(sent.subList(0, 12)).extracting(PendingJob::band).containsOnly(HIGH);
        assertThat(sent.subList(12, 16)).extracting(PendingJob::band).containsExactly(NORMAL, NORMAL, NORMAL, LOW);
    }

    @Test
    void whoIsCancelledWhileWaitingLeavesItsPlaceAndIsNeverSent() {
        // Given
        var jobs = enter("anna", NORMAL, 2);
        // When
        admission.ended(jobs.getFirst().response());
        admission.readerLeft(jobs.getFirst().response());
        beats(WORKER, 4, 4);
        // Then
        assertThat(sent).containsExactly(jobs.get(1));
        assertThat(admission.waiting(NORMAL)).isZero();
        assertThat(admission.open()).isEqualTo(1);
    }

    @Test
    void whatTheBusDidNotTakeGoesAgainWithTheNextBeat() {
        // Given
        beats(WORKER, 4, 4);
        busTakes = false;
        var job = enter("anna", NORMAL, 1).getFirst();
        assertThat(admission.waiting(NORMAL)).isEqualTo(1);
        assertThat(admission.keeps(job.response())).isTrue();
        // When
        busTakes = true;
        beats(WORKER, 4, 4);
        // Then
        assertThat(sent).extracting(PendingJob::response).containsExactly(job.response());
        assertThat(sent.getFirst().ticket().resent())
                .as("the lost one may be there")
                .isTrue();
        assertThat(admission.keeps(job.response())).isFalse();
        assertThat(admission.queued()).isEqualTo(1);
    }

    @Test
    void aPlaceIsTakenUntilTheAnswerHasEndedAndIsRead() {
        // Given
        beats(WORKER, 4, 4);
        var job = enter("anna", NORMAL, 1).getFirst();
        fenced(job);
        // When
        admission.ended(job.response());
        int ended = admission.open();
        admission.readerLeft(job.response());
        // Then
        assertThat(ended).isEqualTo(1);
        assertThat(admission.open()).isZero();
        assertThat(admission.knows(job.response())).isFalse();
    }

    @Test
    void whatAnotherGatewayAcceptedHasNoReaderHere() {
        // Given
        admission = admission(Map.of("gateway.admission.waiting-max", "1"));
        enter("anna", NORMAL, 1);
        // When
        var adopted = TestJobs.of("anna", NORMAL);
        admission.enter(adopted);
        admission.enter(adopted);
        // Then
        assertThat(admission.waiting(NORMAL)).as("accepted is accepted").isEqualTo(2);

        // When
        admission.ended(adopted.response());
        // Then
        assertThat(admission.knows(adopted.response())).isFalse();
        assertThat(admission.open()).isEqualTo(1);
    }

    @Test
    void aRunningResponseOfAnotherGatewayIsCountedOnce() {
        // Given
        var response = ResponseId.create(1, 1);
        // When
        admission.fenced(response, "anna", WORKER);
        admission.fenced(response, "anna", WORKER);
        // Then
        assertThat(admission.open()).isEqualTo(1);

        // When
        admission.ended(response);
        admission.ended(response);
        // Then
        assertThat(admission.open()).isZero();
    }

    @Test
    void whatIsNotFollowedAnyMoreCountsNoMore() {
        // Given
        beats(WORKER, 1, 1);
        var jobs = enter("anna", NORMAL, 3);
        // When
        jobs.forEach(job -> admission.forget(job.response()));
        // Then
        assertThat(admission.open()).isZero();
        assertThat(admission.queued()).isZero();
        assertThat(admission.waiting(NORMAL)).isZero();
    }

    /// Whatever happens in whatever order, what is counted is what is there, and who waits goes as soon as there are
    /// slots.
    @Test
    void randomHistoriesLoseNothingAndCountRight() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            admission = admission(Map.of());
            sent.clear();
            beats(WORKER, 4, 4);
            var open = new ArrayList<PendingJob>();
            for (int step = 0; step < 200; step++) {
                var job = open.isEmpty() ? null : open.get(random.nextInt(open.size()));
                busTakes = random.nextInt(10) > 0;
                switch (random.nextInt(6)) {
                    case 0, 1 -> open.addAll(enter("tenant-" + random.nextInt(3), band(random), 1));
                    case 2 -> fence(job);
                    case 3 -> beats(WORKER, 4, random.nextInt(5));
                    case 4 -> {
                        if (job != null) {
                            open.remove(job);
                            admission.readerLeft(job.response());
                            admission.ended(job.response());
                        }
                    }
                    default -> admission.release();
                }
                assertThat(admission.open()).as("seed %d", seed).isEqualTo(open.size());
            }
            busTakes = true;
            while (open.stream().anyMatch(job -> admission.keeps(job.response()))) {
                beats(WORKER, 4, 4);
                var taken = sent.stream().filter(open::contains).toList();
                assertThat(taken).as("seed %d", seed).isNotEmpty();
                taken.forEach(this::fenced);
                taken.forEach(job -> admission.forget(job.response()));
                open.removeAll(taken);
            }
            open.forEach(job -> admission.forget(job.response()));
            assertThat(new HashSet<>(sent)).as("seed %d", seed).hasSameSizeAs(sent);
            assertThat(admission.queued()).as("seed %d", seed).isZero();
            assertThat(admission.open()).as("seed %d", seed).isZero();
        }
    }

    private static Band band(Random random) {
        return Band.values()[random.nextInt(Band.values().length)];
    }

    private void fence(@Nullable PendingJob job) {
        if (job != null && sent.contains(job)) {
            fenced(job);
        }
    }
}
