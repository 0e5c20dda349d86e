package dev.counterpoint.gateway.turn;

import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jboss.logging.Logger;

/// Ends rows of gateways that died between row and frame 0 as soon as their heartbeats have stopped, so that a
/// conversation is free again within seconds. A row whose frame 0 is on the bus is its partition's owner's. Any replica
/// does this, and all of them at once may.
@ApplicationScoped
class DesertedRows {
    private static final Logger LOG = Logger.getLogger(DesertedRows.class);
    private static final int ROWS_AT_ONCE = 100;
    private static final int KNOWN_MAX = 10_000;
    private static final Duration REPLAY_PATIENCE = Duration.ofSeconds(1);

    private final Fleet fleet;
    private final StoredResponses rows;
    private final Replays replays;
    private final OrphanRows orphans;
    /// Rows whose response is on the bus.
    private final Set<String> known = new HashSet<>();

    @Inject
    DesertedRows(Fleet fleet, StoredResponses rows, Replays replays, OrphanRows orphans) {
        this.fleet = fleet;
        this.rows = rows;
        this.replays = replays;
        this.orphans = orphans;
    }

    @Scheduled(
            every = "5s",
            delayed = "10s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void run() throws InterruptedException {
        var living = fleet.livingGateways();
        if (living.isPresent()) {
            try {
                endThoseWithoutLog(living.get());
            } catch (Replays.BusyException | BackendUnavailableException | Sql.FailedException e) {
                LOG.debugf("rows looked-up=later cause=%s", e.getMessage());
            }
        }
    }

    /// @param living names of gateways whose rows are left to them
    synchronized void endThoseWithoutLog(Set<String> living) throws InterruptedException {
        var before = Instant.now().minus(Replays.APPENDED_WITHIN);
        var some = rows.leftBehind(before, living, "", ROWS_AT_ONCE);
        while (!some.isEmpty()) {
            for (var id : some) {
                lookAt(id);
            }
            some = rows.leftBehind(before, living, some.getLast(), ROWS_AT_ONCE);
        }
    }

    private void lookAt(String row) throws InterruptedException {
        var id = TurnIds.parse(row);
        if (id.isEmpty() || known.contains(row)) {
            return;
        }
        if (replays.accepted(id.get(), REPLAY_PATIENCE.toMillis())) {
            if (known.size() >= KNOWN_MAX) {
                known.clear();
            }
            known.add(row);
        } else {
            rows.unended(row).ifPresent(orphans::end);
        }
    }
}
