package dev.counterpoint.bus.seal;

/// Told of each record that is void because nobody who may write it did.
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

    /// Must return at once. Any thread.
    void refused(String topic, Reason reason);

    static RefusalListener none() {
        return (_, _) -> {};
    }
}
