package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.admission.AdmittedResponse.Stage;
import java.util.Collection;

/// The jobs of one model that no worker has taken, be they here or in an inbox. Workers are scaled by it.
///
/// @param jobs how many
/// @param oldestMillis when the first of them was accepted, since 1970; [Long#MAX_VALUE] when there is none
record JobBacklog(int jobs, long oldestMillis) {
    private static final JobBacklog NONE = new JobBacklog(0, Long.MAX_VALUE);

    static JobBacklog of(Collection<AdmittedResponse> places, String model) {
        var all = NONE;
        for (var place : places) {
            all = switch (place.stage) {
                case Stage.Waiting(PendingJob job) -> all.and(job, model);
                case Stage.Queued(PendingJob job) -> all.and(job, model);
                case Stage.Reserved _, Stage.Running _, Stage.Ended _ -> all;
            };
        }
        return all;
    }

    private JobBacklog and(PendingJob job, String model) {
        return job.model().equals(model)
                ? new JobBacklog(jobs + 1, Math.min(oldestMillis, job.response().acceptedAtMillis()))
                : this;
    }

    /// Seconds since the first of them was accepted; 0 when there is none.
    double ageSeconds(long nowMillis) {
        return jobs == 0 ? 0 : Math.max(0, nowMillis - oldestMillis) / 1_000.0;
    }
}
