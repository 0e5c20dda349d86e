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
public record OutageClassifier(Set<String> sqlStates, boolean parts) {
    /// PostgreSQL takes no connection, or no write.
    public static final OutageClassifier DATABASE = new OutageClassifier(
            Set.of(
                    "08", // connection
                    "53", // out of connections, disk, memory
                    "57P", // shutting down, starting up
                    "25006"), // read-only: a failover is under way
            false);

    private static final int CAUSES_MAX = 20;

    public OutageClassifier {
        sqlStates = Set.copyOf(sqlStates);
    }

    /// These states count too.
    public OutageClassifier orSqlStates(String... beginnings) {
        var more = new HashSet<>(sqlStates);
        more.addAll(Arrays.asList(beginnings));
        return new OutageClassifier(more, parts);
    }

    /// An [OutageException] counts too.
    public OutageClassifier orParts() {
        return new OutageClassifier(sqlStates, true);
    }

    /// Looks at what was thrown, its causes, and what they suppressed.
    public boolean isOutage(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (matches(cause) || Arrays.stream(cause.getSuppressed()).anyMatch(this::matches)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private boolean matches(Throwable thrown) {
        return switch (thrown) {
            case OutageException _ -> parts;
            case SQLTransientConnectionException _, SQLNonTransientConnectionException _ -> true;
            case SQLException failure -> matches(failure.getSQLState());
            default -> false;
        };
    }

    /// The pool says nothing but a message when no connection comes free in time.
    private boolean matches(@Nullable String sqlState) {
        return sqlState == null || sqlStates.stream().anyMatch(sqlState::startsWith);
    }
}
