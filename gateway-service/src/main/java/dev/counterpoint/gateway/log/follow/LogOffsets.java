package dev.counterpoint.gateway.log.follow;

import java.util.OptionalLong;

/// Asks the broker for places in a partition of `frames`. Thread-safe; waits for the answer.
public interface LogOffsets {
    /// The offset after the last record.
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    long end(int partition);

    /// The offset of the first record of this time or later, if there is one.
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    OptionalLong since(int partition, long millis);
}
