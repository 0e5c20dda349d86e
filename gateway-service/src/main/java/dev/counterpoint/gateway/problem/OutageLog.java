package dev.counterpoint.gateway.problem;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Tells that the database is away, now and then: every request notices, and one line says as much as a thousand.
final class OutageLog {
    private static final Logger LOG = Logger.getLogger(OutageLog.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int CAUSES_MAX = 20;

    private final AtomicLong toldAtNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);

    void tell(Throwable thrown) {
        long now = System.nanoTime();
        long told = toldAtNanos.get();
        if (now - told >= QUIET_NANOS && toldAtNanos.compareAndSet(told, now)) {
            LOG.warnf("the database does not answer cause=%s", cause(thrown));
        }
    }

    private static String cause(Throwable thrown) {
        @Nullable Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof SQLException failure) {
                return failure.getClass().getSimpleName() + " sqlState=" + failure.getSQLState();
            }
            cause = cause.getCause();
        }
        return thrown.getClass().getSimpleName();
    }
}
