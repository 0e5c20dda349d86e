package dev.counterpoint.validator;

import org.jspecify.annotations.Nullable;

/// Where in a stream something is.
///
/// @param event which event it is, counted from 1 without comments; 0 before the first
/// @param sequenceNumber what the event itself says, null when it says nothing
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
