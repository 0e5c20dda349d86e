package dev.counterpoint.audit.accesslog;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.counterpoint.audit.log.Event;

/// One entry of a search in the access log.
public sealed interface FoundEntry permits AccessLogEntry, FoundEntry.Altered {
    /// Its index in the audit log.
    long seq();

    /// An entry that somebody changed. None of its values is shown.
    record Altered(@JsonIgnore long seq, String id, boolean altered) implements FoundEntry {}

    static FoundEntry of(Event event) {
        return switch (event) {
            case Event.Verified verified -> AccessLogEntry.of(verified);
            case Event.Altered(long index, String id) -> new Altered(index, id, true);
        };
    }
}
