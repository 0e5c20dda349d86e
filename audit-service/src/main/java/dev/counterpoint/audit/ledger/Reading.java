package dev.counterpoint.audit.ledger;

import dev.counterpoint.bus.audit.Trace;
import java.util.List;

/// What became of the wish to read a record.
public sealed interface Reading {
    /// It opened.
    record Opened(StoredRecord record, List<Trace.Segment> segments) implements Reading {
        /// Tells no content.
        @Override
        public String toString() {
            return "Opened[response=%s, segments=%d]".formatted(record.response(), segments.size());
        }
    }

    /// Its key was destroyed.
    record Erased(StoredRecord record) implements Reading {}

    /// It, or a key, is not as it was written.
    record Altered(StoredRecord record) implements Reading {}

    /// There is none.
    record Absent() implements Reading {}
}
