package dev.counterpoint.validator;

import org.jspecify.annotations.Nullable;

/// A position in a stream.
///
/// @param event number of the event, counted from 1 without comments; 0 before the first
/// @param sequenceNumber number in the event itself; null when it has none
/// @param type the event's type, `[DONE]`, or null at the end of the stream
public record StreamPosition(
        int event, @Nullable Long sequenceNumber, @Nullable String type) {
    static StreamPosition endAfter(int event) {
        return new StreamPosition(event, null, null);
    }

    @Override
    public String toString() {
        if (type == null) {
            return "end of stream after event " + event;
        }
        return "event " + event + ", " + type + (sequenceNumber == null ? "" : ", number " + sequenceNumber);
    }
}
