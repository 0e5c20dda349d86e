package dev.counterpoint.gateway.admission;

/// Brings jobs to the workers' queues. Thread-safe.
@FunctionalInterface
public interface JobDispatch {
    /// Sends a job and does not wait until the queue has it.
    ///
    /// @param lost told, on any thread, when the queue did not get it, as far as anybody knows
    void send(PendingJob job, Runnable lost);
}
