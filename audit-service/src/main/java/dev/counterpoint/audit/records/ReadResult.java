package dev.counterpoint.audit.records;

import dev.counterpoint.bus.audit.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of reading one record.
public sealed interface ReadResult {
    /// The record without its content; null when there is no such record.
    @Nullable
    StoredRecord record();

    /// The content decrypted.
    record Opened(StoredRecord record, List<Trace.Segment> segments) implements ReadResult {
        /// Shows no content.
        @Override
        public String toString() {
            return "Opened[response=%s, segments=%d]".formatted(record.response(), segments.size());
        }
    }

    /// An erasure destroyed the record's key.
    record Erased(StoredRecord record) implements ReadResult {}

    /// The record, or a key that it needs, was changed or removed outside this service.
    record Altered(StoredRecord record) implements ReadResult {}

    /// The response has no record.
    record Absent() implements ReadResult {
        @Override
        public @Nullable StoredRecord record() {
            return null;
        }
    }
}
