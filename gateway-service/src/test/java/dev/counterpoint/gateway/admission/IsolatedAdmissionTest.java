package dev.counterpoint.gateway.admission;

import static dev.counterpoint.bus.kafka.Topic.Band.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.servicekit.ProblemException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// C1: isolated jobs wait for each other, and for nobody else.
class IsolatedAdmissionTest extends AdmissionOfOneGateway {
    @Test
    void c1OneAtATimeIsWithTheWorkersFromTheQueueToItsEnd() {
        // When
        var jobs = List.of(isolate("anna", 1), isolate("anna", 1), isolate("anna", 1));
        // Then
        assertThat(sent).containsExactly(jobs.get(0));
        fenced(jobs.get(0));
        assertThat(sent).hasSize(1);
        assertThat(admission.keeps(jobs.get(1).response())).isTrue();

        // When
        admission.ended(jobs.get(0).response());
        // Then
        assertThat(sent).containsExactly(jobs.get(0), jobs.get(1));
        assertThat(admission.keeps(jobs.get(1).response())).isFalse();
    }

    @Test
    void c1TheyTakeNoRoomFromOthersAndNeedNone() {
        // Given
        beats(WORKER, 1, 1);
        // When
        isolate("anna", 1);
        isolate("anna", 1);
        enter("bert", NORMAL, 3);
        // Then
        assertThat(sent.stream().filter(PendingJob::isolated)).hasSize(1);
        assertThat(sent.stream().filter(job -> !job.isolated())).hasSize(2);
        assertThat(admission.queued()).isEqualTo(2);
        assertThat(admission.waiting(NORMAL)).isEqualTo(1);
    }

    @Test
    void oneThatWaitsMayJoinTheOthers() {
        // Given
        beats(WORKER, 1, 1);
        var first = isolate("anna", 1);
        var second = isolate("anna", 1);
        // When
        boolean ofFirst = admission.joinOthers(amongOthers(first));
        boolean ofSecond = admission.joinOthers(amongOthers(second));
        // Then
        assertThat(ofFirst).as("is with the workers").isFalse();
        assertThat(ofSecond).isTrue();
        assertThat(sent).containsExactly(first, amongOthers(second));

        // When
        admission.ended(first.response());
        // Then
        assertThat(sent).as("stands in one queue only").hasSize(2);
        assertThat(admission.joinOthers(amongOthers(second))).isFalse();
    }

    private static PendingJob amongOthers(PendingJob job) {
        return new PendingJob(job.ticket(), job.model(), job.band(), false, job.quietUntil(), job.spans());
    }

    @Test
    void tenantsTakeTurns() {
        // Given
        var anna = List.of(isolate("anna", 1), isolate("anna", 1), isolate("anna", 1));
        var bert = isolate("bert", 1);
        // When
        admission.forget(anna.get(0).response());
        admission.forget(anna.get(1).response());
        // Then
        assertThat(sent).containsExactly(anna.get(0), anna.get(1), bert);
    }

    @Test
    void anAttemptThatWaitsIsEnteredOnce() {
        // Given
        var first = isolate("anna", 1);
        var waiting = isolate("anna", 1);
        // When
        admission.isolate(waiting);
        admission.isolate(first);
        admission.ended(first.response());
        admission.isolate(first);
        // Then
        assertThat(sent).containsExactly(first, waiting);
    }

    @Test
    void theNextAttemptOfOneThatRanWaitsAgain() {
        // Given
        var first = isolate("anna", 1);
        fenced(first);
        var other = isolate("bert", 1);
        // When its worker handed it over
        var again = new PendingJob(first.ticket().forAttempt(2), first.model(), NORMAL, true);
        admission.isolate(again);
        // Then
        assertThat(sent).containsExactly(first, other);
        admission.ended(other.response());
        assertThat(sent).containsExactly(first, other, again);
    }

    @Test
    void whatTheBusDidNotTakeIsNext() {
        // Given
        busTakes = false;
        var lost = isolate("anna", 1);
        // When
        busTakes = true;
        admission.release();
        // Then
        assertThat(sent).containsExactly(lost);
    }

    @Test
    void aTenantsIsolatedJobsCountAsWaiting() {
        // Given
        admission = admission(Map.of("gateway.admission.waiting-per-tenant-max", "2"));
        isolate("anna", 1);
        // When
        isolate("anna", 1);
        // Then
        assertThat(sent).hasSize(1);
        assertThatThrownBy(() -> isolate("anna", 1)).isInstanceOf(ProblemException.class);

        // When
        fenced(sent.getFirst());
        // Then
        assertThat(isolate("anna", 1)).isNotNull();
    }

    private PendingJob isolate(String tenant, int attempt) {
        var usual = TestJobs.of(tenant, NORMAL);
        var job = new PendingJob(usual.ticket().forAttempt(attempt), usual.model(), usual.band(), true);
        admission.reserve(job.response(), tenant);
        admission.enter(job);
        return job;
    }
}
