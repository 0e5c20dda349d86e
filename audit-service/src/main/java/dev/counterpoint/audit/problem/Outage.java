package dev.counterpoint.audit.problem;

import dev.counterpoint.audit.keys.KeyService;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import org.hibernate.exception.JDBCConnectionException;
import org.jspecify.annotations.Nullable;

/// Tells a database or a key service that is away from a mistake in what we ask it.
public final class Outage {
    private static final int CAUSES_MAX = 20;

    private Outage() {}

    public static boolean isBehind(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (isOutage(cause)) {
                return true;
            }
            for (var suppressed : cause.getSuppressed()) {
                if (isOutage(suppressed)) {
                    return true;
                }
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isOutage(Throwable thrown) {
        return switch (thrown) {
            case KeyService.UnavailableException _,
                    JDBCConnectionException _,
                    SQLTransientConnectionException _,
                    SQLNonTransientConnectionException _ -> true;
            case SQLException failure -> isOutage(failure.getSQLState());
            default -> false;
        };
    }

    /// The classes of PostgreSQL's appendix A that pass by themselves. The pool says nothing but a message when no
    /// connection comes free in time.
    private static boolean isOutage(@Nullable String sqlState) {
        return sqlState == null
                || sqlState.startsWith("08") // connection
                || sqlState.startsWith("40") // deadlock, serialisation
                || sqlState.startsWith("53") // out of connections, disk, memory
                || sqlState.startsWith("55P") // a lock is not to be had
                || sqlState.startsWith("57") // cancelled, shutting down, starting up
                || sqlState.equals("25006"); // read-only: a failover is under way
    }
}
