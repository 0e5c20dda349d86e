package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.store.BatchTask;
import dev.counterpoint.gateway.store.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Adds what responses used to what their tenants and keys have used, many at a time and a moment after they
/// ended, so that the endings of one tenant do not wait for each other. Until then it counts as used all the same.
/// What a gateway leaves when it dies, the housekeeping of another one adds. Thread-safe.
@ApplicationScoped
class QuotaSettlement {
    private static final Logger LOG = LoggerFactory.getLogger(QuotaSettlement.class);
    private static final Duration GATHERED_FOR = Duration.ofMillis(500);
    private static final int AT_ONCE = 500;

    private final Sql sql;
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Executor later = CompletableFuture.delayedExecutor(
            GATHERED_FOR.toMillis(),
            TimeUnit.MILLISECONDS,
            work -> Thread.ofVirtual().name("settle-quotas").start(work));

    QuotaSettlement(Sql sql) {
        this.sql = sql;
    }

    /// Something is due once the transaction at hand has ended. Returns at once.
    void plan() {
        if (planned.compareAndSet(false, true)) {
            later.execute(this::settleSome);
        }
    }

    private void settleSome() {
        planned.set(false);
        try {
            if (settle(AT_ONCE) == AT_ONCE) {
                plan();
            }
        } catch (RuntimeException e) {
            LOG.debug("quotas settled=later error={}", e.getClass().getName());
        }
    }

    private int settle(int most) {
        return sql.first(Integer.class, "select quota_settle_due(?)", most).orElse(0);
    }

    @Produces
    @Singleton
    BatchTask due() {
        return new BatchTask("settle-quotas", AT_ONCE, this::settle);
    }
}
