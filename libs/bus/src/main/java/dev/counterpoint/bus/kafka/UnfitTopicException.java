package dev.counterpoint.bus.kafka;

import java.util.Locale;
import org.apache.kafka.common.KafkaException;

/// A topic has settings with which answers could be lost. The message is for the operator, and says what to do.
public final class UnfitTopicException extends KafkaException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /// What is wrong with it.
    public enum Reason {
        MISSING,
        /// A broker that is lost may take answers along, or hold up all writing.
        COPIES,
        /// Its records are dated by their writers.
        TIMESTAMPS,
        /// It forgets records that are still needed.
        RETENTION;

        /// The code of this misconfiguration, as `topic-missing`.
        public String wireName() {
            return "topic-" + name().toLowerCase(Locale.ROOT);
        }
    }

    public UnfitTopicException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
