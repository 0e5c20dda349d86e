package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.owner.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.job.SuspectReport.Finding;
import dev.counterpoint.gateway.log.follow.AttemptLosses;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// C1: attempts that lose their worker before a token, and the second one that ends the response.
class LostAttemptsTest extends OwnedResponse {
    private final WorkerVoice berta = new WorkerVoice(2, 0xB);
    private final WorkerVoice carla = new WorkerVoice(3, 0xC);

    @Test
    void c1TheFirstLossBeforeATokenIsReissuedAmongOthersAndReported() {
        // When
        dies(anna, anna.fence(RINGS.worker()), anna.progress());
        bus.acknowledgeAll();
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(bus.tickets()).extracting(JobTicket::attempt).containsExactly(2);
        assertThat(bus.ends()).isEmpty();
        assertThat(bus.reports())
                .containsExactly(new SuspectReport(
                        RESPONSE,
                        "key-1",
                        WorkerVoice.TENANT,
                        WorkerVoice.MODEL,
                        1,
                        nowMillis,
                        Finding.WORKER_DIED,
                        false,
                        anna.worker()));
    }

    @Test
    void c1AnEngineThatHangsBeforeATokenIsALossToo() {
        // When
        says(anna.fence(RINGS.worker()));
        passWith(anna.worker(), CONFIG.hungAfterBeats());
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        assertThat(bus.reports()).extracting(SuspectReport::finding).containsExactly(Finding.ENGINE_HUNG);
    }

    @Test
    void c1TheSecondLossBeforeATokenEndsTheResponse() {
        // Given
        says(anna.fence(RINGS.worker()), reissue(2));
        // When
        dies(berta, berta.fence(RINGS.worker()));
        // Then
        assertThat(bus.reissues()).isEmpty();
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CRASHED_WORKER);
        assertThat(bus.reports())
                .extracting(SuspectReport::finding, SuspectReport::attempt, SuspectReport::ended, SuspectReport::worker)
                .containsExactly(tuple(Finding.WORKER_DIED, 2, true, berta.worker()));
    }

    @Test
    void aWorkerLostAfterATokenIsNoLoss() {
        // Given
        says(anna.fence(RINGS.worker()), reissue(2));
        // When
        dies(berta, berta.fence(RINGS.worker()), berta.thinks(0, "hm"));
        // Then
        assertThat(bus.reissues()).containsExactly(3);
        assertThat(bus.reports()).isEmpty();
    }

    @Test
    void c1TokensOfAnEarlierAttemptDoNotHelpALaterOne() {
        // Given
        says(anna.fence(RINGS.worker()), anna.says(0, "one"), reissue(2), berta.fence(RINGS.worker()), reissue(3));
        // When
        dies(carla, carla.fence(RINGS.worker()));
        // Then
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CRASHED_WORKER);
    }

    @Test
    void aHandoverALostFrameAndAWaitingTicketAreNoLoss() {
        // Given
        for (int beat = 0; beat < 2 * CONFIG.requeueAfterBeats(); beat++) {
            alive("bert", 1);
            pass(1);
        }
        says(anna.fence(RINGS.worker()), anna.handover());
        look();
        says(reissue(2), berta.fence(RINGS.worker()), berta.loses().says(0, "two"));
        look();
        says(reissue(3));
        // When
        dies(carla, carla.fence(RINGS.worker()));
        // Then
        assertThat(bus.reissues()).containsExactly(2, 3, 4);
        assertThat(bus.ends()).isEmpty();
        assertThat(bus.reports()).extracting(SuspectReport::attempt).containsExactly(3);
    }

    @Test
    void anAttemptThatNobodyFencedAndALostWorkerAreNotTwoLosses() {
        // Given
        says(reissue(2));
        // When
        dies(berta, berta.fence(RINGS.worker()));
        // Then
        assertThat(response.losses().unfenced()).isOne();
        assertThat(bus.reissues()).containsExactly(3);
        assertThat(bus.ends()).isEmpty();
    }

    @Test
    void c1AnOwnerThatReadsTheLogLaterCountsTheSame() {
        // Given
        says(anna.fence(RINGS.worker()), anna.progress(), reissue(2), berta.fence(RINGS.worker()));
        // When
        var counted = response.losses();
        // Then
        assertThat(counted).isEqualTo(new AttemptLosses(AttemptLosses.Progress.FENCED, 1, 0));
        assertThat(counted.lastCrash()).isTrue();
        assertThat(counted.lastUnfenced()).isFalse();
    }

    @Test
    void c1OfResponsesThatLostTheSameWorkerOneGoesOnAtATime() {
        // Given
        var first = response;
        var secondId = new ResponseId(1_000, 3, 0xCAFE, 0xD00D);
        var second = followed(secondId, WorkerVoice.accepted());
        alive(anna.worker(), 0);
        says(anna.fence(RINGS.worker()));
        second.accept(new WorkerVoice(secondId, 1, 0xA).fence(RINGS.worker()), fleet.ownBeats());
        // When
        passWith("bert", CONFIG.deadAfterBeats() + 1);
        rules.apply(second, fleet.ownBeats());
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        // When
        first.accept(reissue(2), fleet.ownBeats());
        rules.apply(second, fleet.ownBeats());
        // Then
        assertThat(bus.reissues()).containsExactly(2);
        // When
        first.accept(berta.fence(RINGS.worker()), fleet.ownBeats());
        first.accept(berta.thinks(0, "hm"), fleet.ownBeats());
        rules.apply(second, fleet.ownBeats());
        // Then
        assertThat(bus.reissues()).containsExactly(2, 2);
    }

    @Test
    void c1ATurnEndsAfterAWhile() {
        // Given
        var turns = new SuspectTurns(Duration.ofSeconds(10));
        turns.take(response, nowMillis);
        var other = followed(new ResponseId(1_000, 3, 0xCAFE, 0xD00D), WorkerVoice.accepted());
        // Then
        assertThat(turns.take(other, nowMillis + 9_999)).isFalse();
        assertThat(turns.take(other, nowMillis + 10_000)).isTrue();
        assertThat(turns.take(response, nowMillis + 10_000)).isFalse();
    }

    /// The worker says this, and then nothing, while another one lives.
    private void dies(WorkerVoice worker, Frame... lastWords) {
        alive(worker.worker(), 0);
        says(lastWords);
        passWith("bert", CONFIG.deadAfterBeats() + 1);
    }
}
