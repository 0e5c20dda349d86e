package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.store.Sql;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Knows whether there is more than one tenant, as of some seconds ago. Thread-safe; waits for nobody.
@ApplicationScoped
public class TenantCensus {
    private static final Logger LOG = LoggerFactory.getLogger(TenantCensus.class);
    private static final String SEVERAL =
            "select count(*) > 1 from (select 1 from tenant where deleted_at is null limit 2) as found";

    private final Sql sql;
    /// To be fair costs little, so it is the guess until the database answers.
    private volatile boolean several = true;

    TenantCensus(Sql sql) {
        this.sql = sql;
    }

    public boolean several() {
        return several;
    }

    @Scheduled(
            every = "5s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void count() {
        try {
            several = sql.first(Boolean.class, SEVERAL).orElse(true);
        } catch (RuntimeException e) {
            // While the database is away, what it said last holds.
            LOG.debug("tenants were not counted error={}", e.getClass().getName());
        }
    }
}
