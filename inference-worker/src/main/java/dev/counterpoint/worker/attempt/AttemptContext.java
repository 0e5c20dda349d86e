package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import java.time.Duration;

/// The response that this worker's fence won, with the permit to run it.
///
/// @param band of the queue that the response was put into
public record AttemptContext(
        JobTicket ticket, FramePublisher publisher, CapacityGate.Permit permit, Topic.Band band, Taken taken) {
    /// How the job was taken.
    ///
    /// @param atNanos when, by [System#nanoTime]
    /// @param spans of its trace
    public record Taken(long atNanos, AttemptSpans spans) {
        public static Taken now(AttemptSpans spans) {
            return new Taken(System.nanoTime(), spans);
        }

        public Duration since() {
            return Duration.ofNanos(System.nanoTime() - atNanos);
        }
    }

    /// For use before frame 0, which holds the band, was read.
    public AttemptContext(JobTicket ticket, FramePublisher publisher, CapacityGate.Permit permit, Taken taken) {
        this(ticket, publisher, permit, Topic.Band.NORMAL, taken);
    }

    Duration sinceTaken() {
        return taken.since();
    }

    /// Milliseconds from acceptance to the taking; negative where the gateway's clock is ahead of this one.
    public long waitedMillis() {
        return System.currentTimeMillis()
                - sinceTaken().toMillis()
                - ticket.response().acceptedAtMillis();
    }

    public AttemptContext inBand(Topic.Band told) {
        return new AttemptContext(ticket, publisher, permit, told, taken);
    }
}
