package dev.counterpoint.gateway.log;

import static dev.counterpoint.gateway.log.WorkerVoice.RESPONSE;
import static dev.counterpoint.gateway.log.WorkerVoice.accepted;
import static dev.counterpoint.gateway.log.WorkerVoice.isolatedReissue;
import static dev.counterpoint.gateway.log.WorkerVoice.reissue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.bus.job.SuspectReport.Finding;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.PendingJob;
import dev.counterpoint.gateway.admission.TestAdmission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// C1: a response that was there when its worker was lost, before a token came, takes no other worker's jobs with
/// it.
class SuspectResponsesTest extends OwnedResponse {
    private final List<PendingJob> sent = new ArrayList<>();
    private final Admission queue = TestAdmission.of(fleet, (job, _) -> sent.add(job));
    private final RecoveryPolicy owner = new RecoveryPolicy(
            CONFIG,
            fleet,
            bus.decisions(),
            queue,
            deadLetters,
            quarantine,
            (_, told) -> told.accept(List.of()),
            () -> Instant.ofEpochMilli(nowMillis));
    private final WorkerVoice berta = new WorkerVoice(2, 0xB);

    @Override
    void look() {
        owner.apply(response, fleet.ownBeats());
    }

    @Test
    void c1OneWhoseWorkerDiedBeforeATokenGoesOnIsolated() {
        // When
        dies(anna, anna.fence(RINGS.worker()), anna.progress());
        bus.acknowledgeAll();
        says(isolatedReissue(2));
        look();
        look();
        // Then
        assertThat(bus.isolations()).containsExactly(true);
        assertThat(bus.tickets()).as("in everybody's queue").isEmpty();
        assertThat(sent)
                .extracting(PendingJob::isolated, job -> job.ticket().attempt(), PendingJob::topic)
                .containsExactly(tuple(true, 2, "jobs.gpt-oss-20b.isolated"));
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
    void c1OneWhoseEngineHangsBeforeATokenGoesOnIsolated() {
        // When
        says(anna.fence(RINGS.worker()));
        passWith(anna.worker(), CONFIG.hungAfterBeats());
        // Then
        assertThat(bus.isolations()).containsExactly(true);
        assertThat(bus.reports()).extracting(SuspectReport::finding).containsExactly(Finding.ENGINE_HUNG);
    }

    @Test
    void c1OneThatKillsAgainWhileItIsAloneFails() {
        // Given
        says(anna.fence(RINGS.worker()), isolatedReissue(2));
        // When
        dies(berta, berta.fence(RINGS.worker()));
        // Then
        assertThat(bus.reissues()).isEmpty();
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CRASHED_WORKER);
        assertThat(bus.reports())
                .extracting(SuspectReport::finding, SuspectReport::attempt, SuspectReport::isolated)
                .containsExactly(tuple(Finding.WORKER_DIED, 2, true));
    }

    @Test
    void c1OneOfAKeyInQuarantineIsAloneFromTheStart() {
        // Given
        response = followed(accepted().withIsolated(true));
        look();
        // When
        dies(anna, anna.fence(RINGS.worker()));
        // Then
        assertThat(sent).extracting(PendingJob::isolated).containsExactly(true);
        assertThat(bus.ends()).containsExactly(OwnerEnd.Reason.CRASHED_WORKER);
    }

    @Test
    void oneOfAKeyOutOfQuarantineJoinsTheOthersAndMayBecomeASuspectOfItsOwn() {
        // Given
        keyIsInQuarantine(true);
        queue.isolate(another());
        response = followed(accepted().withIsolated(true));
        look();
        look();
        var inQuarantine = List.copyOf(sent);
        // When
        keyIsInQuarantine(false);
        alive("idle", 1);
        look();
        // Then
        assertThat(inQuarantine).as("the one before it").hasSize(1);
        assertThat(sent).extracting(PendingJob::isolated).containsExactly(true, false);

        // When
        dies(anna, anna.fence(RINGS.worker()));
        // Then
        assertThat(bus.ends()).isEmpty();
        assertThat(bus.isolations()).containsExactly(true);
    }

    @Test
    void oneThatWasStreamingGoesOnAtOnceWhateverItThoughtOrSaid() {
        // When
        dies(anna, anna.fence(RINGS.worker()), anna.thinks(0, "hm"));
        // Then
        assertThat(bus.isolations()).containsExactly(false);
        assertThat(bus.reports()).isEmpty();
    }

    @Test
    void c1TokensOfAnEarlierAttemptAreNoAlibi() {
        // When
        says(anna.fence(RINGS.worker()), anna.says(0, "one"), reissue(2));
        dies(berta, berta.fence(RINGS.worker()));
        // Then
        assertThat(bus.isolations()).containsExactly(true);
    }

    @Test
    void oneThatIsHandedOverOrLosesAFrameIsNoSuspect() {
        // When
        says(anna.fence(RINGS.worker()), anna.handover());
        look();
        says(reissue(2), berta.fence(RINGS.worker()), berta.loses().says(0, "two"));
        look();
        // Then
        assertThat(bus.isolations()).containsExactly(false, false);
        assertThat(bus.reports()).isEmpty();
    }

    @Test
    void c1OneThatProvesHarmlessIsClearedOnceAndStaysIsolated() {
        // Given
        says(anna.fence(RINGS.worker()), isolatedReissue(2), berta.fence(RINGS.worker()));
        // When
        says(berta.says(0, "one"), berta.says(0, "two"));
        look();
        look();
        says(berta.handover());
        look();
        // Then
        assertThat(bus.reports()).extracting(SuspectReport::finding).containsExactly(Finding.CLEARED);
        assertThat(bus.isolations()).containsExactly(true);
    }

    @Test
    void oneThatWaitsForAWorkerToRunDryIsNotQueuedAgainSoon() {
        // Given
        says(anna.fence(RINGS.worker()), isolatedReissue(2));
        passWithFreeSlots(11 * CONFIG.requeueAfterBeats());
        assertThat(sent).hasSize(1);
        var early = bus.producer.history();
        // When
        passWithFreeSlots(2 * CONFIG.requeueAfterBeats());
        // Then
        assertThat(early).isEmpty();
        assertThat(bus.producer.history())
                .extracting(record -> record.topic())
                .containsExactly("jobs.gpt-oss-20b.isolated");
    }

    private void keyIsInQuarantine(boolean held) {
        for (int worker = 1; worker <= Quarantine.LOSSES; worker++) {
            var finding = held ? Finding.WORKER_DIED : Finding.CLEARED;
            quarantine.take(
                    new SuspectReport(
                            new ResponseId(1_000, 3, 1, worker),
                            "key-1",
                            WorkerVoice.TENANT,
                            WorkerVoice.MODEL,
                            1,
                            nowMillis,
                            finding,
                            false,
                            "lost-" + worker),
                    nowMillis);
        }
    }

    /// The isolated job of another response.
    private PendingJob another() {
        var ticket = new JobTicket(
                new ResponseId(1_000, 3, 9, 1), 0, 2, WorkerVoice.TENANT, Set.of(), 600_000, UnknownFields.NONE);
        return new PendingJob(ticket, WorkerVoice.MODEL, Topic.Band.NORMAL, true);
    }

    /// The worker says this, and then nothing, while another one lives.
    private void dies(WorkerVoice worker, Frame... lastWords) {
        alive(worker.worker(), 0);
        says(lastWords);
        passWith("bert", CONFIG.deadAfterBeats() + 1);
    }
}
