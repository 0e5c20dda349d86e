package dev.counterpoint.audit.api;

import dev.counterpoint.audit.records.StoredRecord;
import dev.counterpoint.bus.audit.Trace;
import java.util.List;

/// A record with its raw reasoning.
///
/// @param accessEntry id of the entry in the access log that names the reader
public record RecordContent(String accessEntry, StoredRecord record, List<Trace.Segment> segments) {
    /// Shows no content.
    @Override
    public String toString() {
        return "RecordContent[response=%s, segments=%d]".formatted(record.response(), segments.size());
    }
}
