package dev.counterpoint.gateway.admission;

/// Brings jobs to the inboxes of workers. Thread-safe.
@FunctionalInterface
public interface JobDispatch {
    /// Sends a job and does not wait until the inbox has it.
    ///
    /// @param lost told, on any thread, when the inbox did not get it, as far as anybody knows
    void send(PendingJob job, Runnable lost);
}
