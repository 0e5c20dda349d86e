package dev.counterpoint.audit.records;

import dev.counterpoint.bus.audit.Trace;
import java.util.List;

/// What became of the wish to read a record.
public sealed interface ReadResult {
    /// It opened.
    record Opened(StoredRecord record, List<Trace.Segment> segments) implements ReadResult {
        /// Tells no content.
        @Override
        public String toString() {
            return "Opened[response=%s, segments=%d]".formatted(record.response(), segments.size());
        }
    }

    /// Its key was destroyed.
    record Erased(StoredRecord record) implements ReadResult {}

    /// It, or a key, is not as it was written.
    record Altered(StoredRecord record) implements ReadResult {}

    /// There is none.
    record Absent() implements ReadResult {}
}
