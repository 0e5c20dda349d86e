package dev.counterpoint.audit.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// The clock of the database's rows. PostgreSQL rounds a time to microseconds, and content is bound to the times of its
/// row: milliseconds come back exactly as they were written.
public final class RowTime {
    private RowTime() {}

    public static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
