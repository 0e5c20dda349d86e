package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.Set;

/// Jobs of responses that are new each time.
final class TestJobs {
    static final String MODEL = "gpt-oss-20b";

    private TestJobs() {}

    static PendingJob of(String tenant, Band band) {
        return of(ResponseId.create(1_000, 3), tenant, band);
    }

    static PendingJob of(ResponseId response, String tenant, Band band) {
        var ticket = new JobTicket(response, 0, 1, tenant, Set.of(), 600_000, 0, 1, null, false, UnknownFields.NONE);
        return new PendingJob(ticket, new JobRouting(MODEL, band, 0, null), now -> now, JobSpans.NONE);
    }
}
