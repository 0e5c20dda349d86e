package dev.counterpoint.audit.records;

import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes database and erasure log agree. Erasures that only the log knows are made again in a restored database; those
/// that only the database knows, sealed by this service, are appended to the log. Until this succeeds once, the service
/// is not ready, stores nothing and shows nothing.
@ApplicationScoped
class ErasureReconciliation {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureReconciliation.class);
    private static final int EVERY_SECONDS = 30;

    private final ErasureLog log;
    private final ErasureStore erasures;
    private final KeyTableVacuum vacuum;
    private int seconds;

    ErasureReconciliation(ErasureLog log, ErasureStore erasures, KeyTableVacuum vacuum) {
        this.log = log;
        this.erasures = erasures;
        this.vacuum = vacuum;
    }

    @Scheduled(
            every = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void runIfDue() {
        if (log.current() && ++seconds < EVERY_SECONDS) {
            return;
        }
        seconds = 0;
        try {
            if (log.readToItsEnd()) {
                reconcile();
                log.nowCurrent();
            }
        } catch (RuntimeException e) {
            LOG.warn("erasures are reconciled again cause={}", SafeStackTrace.name(e));
        }
    }

    private void reconcile() {
        var known = erasures.ids();
        var unsealed = erasures.unsealed();
        int restored = 0;
        for (var entry : log.entries()) {
            if (!known.contains(entry.id())) {
                erasures.restore(entry);
                LOG.warn("erasure was unknown to the database, and is made again receipt={}", entry.id());
                restored++;
            } else if (unsealed.contains(entry.id())) {
                erasures.seal(entry);
            }
        }
        if (restored > 0) {
            vacuum.runIfDue();
        }
        erasures.old().forEach(erasures::takeOver);
        erasures.takeOutPersons();
        known.stream().filter(id -> !log.holds(id)).forEach(erasures::publish);
    }
}
