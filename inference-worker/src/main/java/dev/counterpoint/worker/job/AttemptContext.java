package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;

/// The response that this worker's fence won, with the permit to run it.
///
/// @param band of the queue that the response was put into
/// @param takenAtNanos when the job was taken, by [System#nanoTime]
record AttemptContext(
        JobTicket ticket, FramePublisher publisher, CapacityGate.Permit permit, Topic.Band band, long takenAtNanos) {
    /// Before frame 0 was read, which says the band.
    AttemptContext(JobTicket ticket, FramePublisher publisher, CapacityGate.Permit permit, long takenAtNanos) {
        this(ticket, publisher, permit, Topic.Band.NORMAL, takenAtNanos);
    }

    AttemptContext inBand(Topic.Band told) {
        return new AttemptContext(ticket, publisher, permit, told, takenAtNanos);
    }
}
