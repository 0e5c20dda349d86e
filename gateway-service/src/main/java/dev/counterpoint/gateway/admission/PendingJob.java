package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;

/// A ticket and the queue it is for.
///
/// @param model whose workers take it
/// @param band how soon
public record PendingJob(JobTicket ticket, String model, Topic.Band band) {
    ResponseId response() {
        return ticket.response();
    }

    String tenant() {
        return ticket.tenant();
    }
}
