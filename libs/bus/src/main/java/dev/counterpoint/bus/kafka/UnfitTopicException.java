package dev.counterpoint.bus.kafka;

import org.apache.kafka.common.KafkaException;

/// A topic has settings with which answers could be lost. The message is for the operator, and says what to do.
public final class UnfitTopicException extends KafkaException {
    private static final long serialVersionUID = 1L;

    UnfitTopicException(String message) {
        super(message);
    }
}
