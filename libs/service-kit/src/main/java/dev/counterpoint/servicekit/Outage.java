package dev.counterpoint.servicekit;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells a database, or another part, that is away from a mistake in what we ask it.
///
/// @param sqlStates beginnings of the SQL states (PostgreSQL's appendix A) that pass by themselves
/// @param parts whether an [OutageException] counts too
public record Outage(Set<String> sqlStates, boolean parts) {
    /// PostgreSQL takes no connection, or no write.
    public static final Outage DATABASE = new Outage(
            Set.of(
                    "08", // connection
                    "53", // out of connections, disk, memory
                    "57P", // shutting down, starting up
                    "25006"), // read-only: a failover is under way
            false);

    private static final int CAUSES_MAX = 20;

    public Outage {
        sqlStates = Set.copyOf(sqlStates);
    }

    /// These states count too.
    public Outage orSqlStates(String... beginnings) {
        var more = new HashSet<>(sqlStates);
        more.addAll(Arrays.asList(beginnings));
        return new Outage(more, parts);
    }

    /// An [OutageException] counts too.
    public Outage orParts() {
        return new Outage(sqlStates, true);
    }

    /// Looks at what was thrown, its causes, and what they suppressed.
    public boolean isBehind(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (isOutage(cause) || Arrays.stream(cause.getSuppressed()).anyMatch(this::isOutage)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private boolean isOutage(Throwable thrown) {
        return switch (thrown) {
            case OutageException _ -> parts;
            case SQLTransientConnectionException _, SQLNonTransientConnectionException _ -> true;
            case SQLException failure -> isOutage(failure.getSQLState());
            default -> false;
        };
    }

    /// The pool says nothing but a message when no connection comes free in time.
    private boolean isOutage(@Nullable String sqlState) {
        return sqlState == null || sqlStates.stream().anyMatch(sqlState::startsWith);
    }
}
