package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.admission.AdmittedResponse.Stage;
import java.util.Collection;
import java.util.function.Predicate;

/// Jobs that no worker has taken, be they here or in an inbox. Workers are scaled by those of their model.
///
/// @param jobs how many
/// @param oldestMillis when the first of them was accepted, since 1970; [Long#MAX_VALUE] when there is none
public record JobBacklog(int jobs, long oldestMillis) {
    private static final JobBacklog NONE = new JobBacklog(0, Long.MAX_VALUE);

    /// @param counted whether a job belongs to the backlog
    static JobBacklog of(Collection<AdmittedResponse> places, Predicate<PendingJob> counted) {
        var all = NONE;
        for (var place : places) {
            all = switch (place.stage) {
                case Stage.Waiting(PendingJob job) -> all.and(job, counted);
                case Stage.Queued(PendingJob job) -> all.and(job, counted);
                case Stage.Reserved _, Stage.Running _, Stage.Ended _ -> all;
            };
        }
        return all;
    }

    private JobBacklog and(PendingJob job, Predicate<PendingJob> counted) {
        return counted.test(job)
                ? new JobBacklog(jobs + 1, Math.min(oldestMillis, job.response().acceptedAtMillis()))
                : this;
    }

    /// Seconds since the first of them was accepted; 0 when there is none.
    public double ageSeconds(long nowMillis) {
        return jobs == 0 ? 0 : Math.max(0, nowMillis - oldestMillis) / 1_000.0;
    }
}
