package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;

/// A ticket and the queue it is for.
///
/// @param model whose workers take it
/// @param band how soon
/// @param isolated whether it is for a worker that runs nothing else meanwhile
public record PendingJob(JobTicket ticket, String model, Topic.Band band, boolean isolated) {
    /// The name of the queue.
    public String topic() {
        return isolated ? Topic.isolatedJobsName(model) : Topic.jobsName(model, band);
    }

    ResponseId response() {
        return ticket.response();
    }

    String tenant() {
        return ticket.tenant();
    }
}
