package dev.counterpoint.bus.seal;

/// Receives each record that is void because no permitted writer wrote it.
@FunctionalInterface
public interface RefusalListener {
    /// The reasons, as a metric names them.
    enum Reason {
        /// A signature is missing, or is not by the role that signs such records, or over other content.
        SIGNATURE,
        /// A tag is missing, or is not by a holder of the attempt's key.
        TAG,
        /// It was written for another response, partition, queue or topic.
        PLACE,
        /// It is proven but says what cannot be read, or what the log denies.
        CONTENT,
        /// The same one, or a newer one of the same sender, was taken before.
        OLDER
    }

    /// Must not block. Called on any thread.
    void refused(String topic, Reason reason);

    static RefusalListener none() {
        return (_, _) -> {};
    }
}
