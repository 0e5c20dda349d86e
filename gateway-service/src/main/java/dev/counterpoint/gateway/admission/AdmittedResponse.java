package dev.counterpoint.gateway.admission;

/// One open response as this gateway counts it. Confined to [Admission]'s lock.
final class AdmittedResponse {
    final String tenant;
    /// True when the response has no reader at this gateway.
    boolean unread;

    Stage stage;

    AdmittedResponse(String tenant, Stage stage, boolean unread) {
        this.tenant = tenant;
        this.stage = stage;
        this.unread = unread;
    }

    /// The stage that the job has reached.
    sealed interface Stage {
        /// Not in the log yet; counts as waiting.
        record Reserved() implements Stage {}

        /// In a queue of ours.
        record Waiting(PendingJob job) implements Stage {}

        /// In Kafka, and no worker has taken it.
        record Queued(PendingJob job) implements Stage {}

        /// A worker has it.
        ///
        /// @param model that the worker serves; empty where we do not know
        record Running(String worker, String model) implements Stage {}

        record Ended() implements Stage {}
    }
}
