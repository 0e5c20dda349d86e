package dev.counterpoint.servicekit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells that the database is away, now and then: every request notices, and one line says as much as a thousand.
public final class OutageLog {
    private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicLong toldAtNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);

    public void tell(Throwable thrown) {
        long now = System.nanoTime();
        long told = toldAtNanos.get();
        if (now - told >= QUIET_NANOS && toldAtNanos.compareAndSet(told, now)) {
            LOG.warn("the database does not answer cause={}", SafeStackTrace.name(thrown));
        }
    }
}
