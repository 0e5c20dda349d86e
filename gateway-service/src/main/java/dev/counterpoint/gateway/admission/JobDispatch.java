package dev.counterpoint.gateway.admission;

/// Brings jobs to the inboxes of workers. Thread-safe.
@FunctionalInterface
public interface JobDispatch {
    /// Sends a job and does not wait until the inbox has it.
    ///
    /// @param lost callback, on any thread, when the inbox apparently did not get it
    void send(PendingJob job, Runnable lost);
}
