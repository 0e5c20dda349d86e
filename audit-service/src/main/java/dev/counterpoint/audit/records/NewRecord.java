package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.Trace;
import java.time.Instant;

/// What is kept of one opted-in response, opened and not yet encrypted.
///
/// @param key id of the API key that asked
/// @param status how staff reads the ending
/// @param reason the ending in the words of the bus, such as `MAX_TOKENS`
/// @param optIn id of the opt-in that allows this record
/// @param conversation id of the conversation, or empty
/// @param partial whether the owner ended it instead of a worker
/// @param cut whether frames at its end did not fit the bus
/// @param unopenedFrames how many frames did not open
/// @param trace the raw reasoning
public record NewRecord(
        ResponseId response,
        String tenant,
        DataSubject subject,
        String key,
        String model,
        Instant acceptedAt,
        RecordStatus status,
        String reason,
        String optIn,
        String conversation,
        boolean partial,
        boolean cut,
        int unopenedFrames,
        Trace trace) {
    /// Tells no content.
    @Override
    public String toString() {
        return "NewRecord[response=%s, tenant=%s, status=%s, partial=%s]".formatted(response, tenant, status, partial);
    }
}
