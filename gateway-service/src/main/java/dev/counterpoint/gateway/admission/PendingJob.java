package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import java.util.function.LongSupplier;

/// A ticket and the queue it is for.
///
/// @param model whose workers take it
/// @param band how soon
/// @param quietUntil offset before which, as far as its log was read by now, nothing but frame 0 counts
/// @param spans of the request, if it is traced
public record PendingJob(JobTicket ticket, String model, Topic.Band band, LongSupplier quietUntil, JobSpans spans) {
    private static final LongSupplier NOTHING_READ = () -> 0;

    /// Of a response whose log nobody has read.
    public PendingJob(JobTicket ticket, String model, Topic.Band band) {
        this(ticket, model, band, NOTHING_READ, JobSpans.NONE);
    }

    /// The ticket that is sent now: a job may have waited for long, and its worker need not read all that others said
    /// meanwhile.
    public JobTicket dispatched() {
        return ticket.readFrom(quietUntil.getAsLong());
    }

    /// The name of the queue.
    public String topic() {
        return Topic.jobsName(model, band);
    }

    ResponseId response() {
        return ticket.response();
    }

    String tenant() {
        return ticket.tenant();
    }
}
