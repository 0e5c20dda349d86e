package dev.counterpoint.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.gateway.admission.AdmittedResponse.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What waits for the workers of a model, by which these are scaled.
class JobBacklogTest {
    private static final PendingJob OLD = TestJobs.of(ResponseId.create(1_000, 3), "anna", Band.LOW);
    private static final PendingJob NEW = TestJobs.of(ResponseId.create(4_000, 3), "bert", Band.HIGH);

    @Test
    void countsWhatNoWorkerHasWhereverItStands() {
        // When
        var backlog = JobBacklog.of(
                List.of(
                        place(new Stage.Waiting(NEW)),
                        place(new Stage.Queued(OLD)),
                        place(new Stage.Reserved()),
                        place(new Stage.Running("worker", TestJobs.MODEL)),
                        place(new Stage.Ended())),
                job -> job.model().equals(TestJobs.MODEL));
        // Then
        assertThat(backlog).isEqualTo(new JobBacklog(2, 1_000));
        assertThat(backlog.ageSeconds(3_500)).isEqualTo(2.5);
    }

    @Test
    void hasNoAgeWhereNothingWaits() {
        assertThat(JobBacklog.of(List.of(place(new Stage.Waiting(NEW))), _ -> false)
                        .ageSeconds(9_000))
                .isZero();
    }

    private static AdmittedResponse place(Stage stage) {
        return new AdmittedResponse("anna", stage, false);
    }
}
