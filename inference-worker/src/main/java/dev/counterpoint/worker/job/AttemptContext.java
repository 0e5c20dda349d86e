package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.JobTicket;

/// The response that this worker's fence won, with the permit to run it.
///
/// @param takenAtNanos when the job was taken, by [System#nanoTime]
record AttemptContext(JobTicket ticket, FramePublisher publisher, CapacityGate.Permit permit, long takenAtNanos) {}
