package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A ticket and where it goes.
///
/// @param current makes the current ticket, so that after a long wait the worker need not read unrelated records
/// @param spans of the request, if it is traced
/// @param inbox partition of the model's inboxes, or null while no worker is chosen
public record PendingJob(
        JobTicket ticket,
        JobRouting routing,
        UnaryOperator<JobTicket> current,
        JobSpans spans,
        @Nullable Integer inbox) {
    /// One whose worker is not chosen yet.
    public PendingJob(JobTicket ticket, JobRouting routing, UnaryOperator<JobTicket> current, JobSpans spans) {
        this(ticket, routing, current, spans, null);
    }

    /// The same job for an inbox, or for none.
    PendingJob to(@Nullable Integer partition) {
        return new PendingJob(ticket, routing, current, spans, partition);
    }

    /// The same job after a ticket that may have got lost.
    PendingJob again() {
        return new PendingJob(ticket.again(ticket.acceptedOffset()), routing, current, spans);
    }

    /// The name of the topic.
    public String topic() {
        return Topic.inboxName(model());
    }

    /// The ticket to send now; empty while neither ticket nor log has frame 0, so that no worker could begin.
    public Optional<JobTicket> dispatched() {
        var now = current.apply(ticket);
        boolean found = now.acceptedOffset() != JobTicket.NOT_YET || now.first() != null;
        return found ? Optional.of(now) : Optional.empty();
    }

    public String model() {
        return routing.model();
    }

    Topic.Band band() {
        return routing.band();
    }

    public ResponseId response() {
        return ticket.response();
    }

    String tenant() {
        return ticket.tenant();
    }
}
