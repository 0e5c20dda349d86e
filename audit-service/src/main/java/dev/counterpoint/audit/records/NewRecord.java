package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.audit.TraceRecord;

/// The opened record of one opted-in response, before it is encrypted for the database.
///
/// @param received the record as the bus delivered it
/// @param terms the opened terms of `received`
/// @param trace the raw reasoning
public record NewRecord(TraceRecord received, AuditTerms terms, RecordEnding ending, Trace trace) {
    /// The end user, or the holder of the API key where the request names no end user.
    public DataSubject subject() {
        return DataSubject.of(terms.subject(), received.key());
    }

    /// The id of its row.
    String rowId() {
        return RecordRow.id(received.response().toString(), ending instanceof RecordEnding.ByOwner);
    }

    /// Shows no content.
    @Override
    public String toString() {
        return "NewRecord[response=%s, tenant=%s, ending=%s]".formatted(received.response(), received.tenant(), ending);
    }
}
