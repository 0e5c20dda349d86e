package dev.counterpoint.audit.records;

import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes database and erasure log agree. Erasures that only the log knows are made again in a restored database; those
/// that only the database knows, sealed by this service, are appended to the log. Until this succeeds once, the service
/// is not ready, stores nothing and shows nothing.
@ApplicationScoped
class ErasureReconciliation {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureReconciliation.class);
    private static final int EVERY_SECONDS = 30;
    private static final int BATCHES_MAX = 1_000;

    private final ErasureLog log;
    private final ErasureStore erasures;
    private final KeyTableVacuum vacuum;
    private final Sequencer sequencer;
    private int seconds;

    ErasureReconciliation(ErasureLog log, ErasureStore erasures, KeyTableVacuum vacuum, Sequencer sequencer) {
        this.log = log;
        this.erasures = erasures;
        this.vacuum = vacuum;
        this.sequencer = sequencer;
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
                takeOutPersons();
            }
        } catch (RuntimeException e) {
            LOG.warn("erasures are reconciled again cause={}", SafeStackTrace.name(e));
        }
    }

    /// Publishes the events that say so at once, because verifiers miss the persons until then.
    private void takeOutPersons() {
        boolean more = true;
        for (int batch = 0; batch < BATCHES_MAX && more; batch++) {
            more = erasures.takeOutPersons();
            sequencer.publish();
        }
    }

    private void reconcile() {
        var known = erasures.ids();
        var unsealed = erasures.unsealed();
        int restored = 0;
        var entries = log.entries().stream()
                .sorted(Comparator.comparing(LoggedErasure::at)) // an erased tenant may have new keys since
                .toList();
        for (var entry : entries) {
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
        known.stream().filter(id -> !log.holds(id)).forEach(erasures::publish);
    }
}
