package dev.counterpoint.gateway.recovery;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.HousekeepingTask;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRebuilder;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.openai.json.WireException;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends rows that nobody else will end. Any replica does this, and all of them at once may.
///
/// Every few seconds: rows of gateways whose heartbeats have stopped, where the log does not know the response. Such a
/// gateway died between the row and frame 0, and its conversation is free again within seconds. A row whose frame 0 is
/// on the bus belongs to the owner of its partition.
///
/// As housekeeping: all rows some time after their responses' deadlines. Where the log does not know the response, the
/// row ends as failed. Where it does, the thread that was to write the row died, could not read the echo, or found no
/// database for too long; then the row is written from the log. A frame 0 that is merely late does no harm: its owner
/// ends the response as failed too, and the first ending of the row stays.
@ApplicationScoped
class LeftBehindRows implements HousekeepingTask {
    private static final Logger LOG = LoggerFactory.getLogger(LeftBehindRows.class);
    private static final int ROWS_AT_ONCE = 100;
    private static final int ROUNDS_MAX = 1_000;
    private static final int KNOWN_MAX = 10_000;
    private static final Duration REPLAY_PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(1);
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);

    private final Fleet fleet;
    private final StoredResponses rows;
    private final Replays replays;
    private final Instance<TurnRebuilder> apis;
    private final Duration age;
    /// Rows of silent gateways whose response is on the bus.
    private final Set<String> known = new HashSet<>();

    LeftBehindRows(
            Fleet fleet,
            StoredResponses rows,
            Replays replays,
            @Any Instance<TurnRebuilder> apis,
            GatewayConfig config,
            LogConfig stream) {
        this.fleet = fleet;
        this.rows = rows;
        this.replays = replays;
        this.apis = apis;
        this.age = stream.deadline().plus(config.orphanGrace());
    }

    @Scheduled(
            every = "5s",
            delayed = "10s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void endThoseOfSilentGateways() throws InterruptedException {
        var living = fleet.livingGateways();
        if (living.isPresent()) {
            try {
                endThoseWithoutLog(living.get());
            } catch (Replays.BusyException | BackendUnavailableException | Sql.FailedException e) {
                LOG.debug("rows looked-up=later cause={}", e.getMessage());
            }
        }
    }

    /// @param living names of gateways whose rows are left to them
    private synchronized void endThoseWithoutLog(Set<String> living) throws InterruptedException {
        var before = Instant.now().minus(Replays.APPENDED_WITHIN);
        var some = rows.leftBehind(before, living, "", ROWS_AT_ONCE);
        while (!some.isEmpty()) {
            for (var row : some) {
                var id = TurnIds.parse(row);
                if (id.isPresent() && !isOnBus(row, id.get())) {
                    rows.unended(row).ifPresent(this::endAsFailed);
                }
            }
            some = rows.leftBehind(before, living, some.getLast(), ROWS_AT_ONCE);
        }
    }

    private boolean isOnBus(String row, ResponseId id) throws InterruptedException {
        if (known.contains(row)) {
            return true;
        }
        boolean accepted = replays.accepted(id, LOOKUP_PATIENCE.toMillis());
        if (accepted) {
            if (known.size() >= KNOWN_MAX) {
                known.clear();
            }
            known.add(row);
        }
        return accepted;
    }

    @Override
    public String name() {
        return "end-orphan-rows";
    }

    /// Looks at all rows that should have ended by now. What the bus cannot answer is asked again the next time.
    @Override
    public void run() throws InterruptedException {
        var before = Instant.now().minus(age);
        var after = "";
        for (int round = 0; round < ROUNDS_MAX; round++) {
            var some = rows.unended(before, after, ROWS_AT_ONCE);
            for (var row : some) {
                tryToEnd(row);
            }
            if (some.size() < ROWS_AT_ONCE) {
                return;
            }
            after = some.getLast().id();
        }
    }

    private void tryToEnd(StoredResponses.Row row) throws InterruptedException {
        try {
            var id = TurnIds.parse(row.id());
            if (id.isPresent()) {
                end(row, id.get());
            }
        } catch (Replays.BusyException | BackendUnavailableException e) {
            LOG.debug("row={} looked-up=later cause={}", row.id(), e.getMessage());
        } catch (RuntimeException e) {
            // What a row held may stand in the message.
            LOG.error("row={} not-ended={}", row.id(), e.getClass().getName());
        }
    }

    private void end(StoredResponses.Row row, ResponseId id) throws InterruptedException {
        try (var replay = replays.complete(id, REPLAY_PATIENCE.toMillis())) {
            finish(row, replay);
        } catch (Replays.GoneException e) {
            // It may be in a log that is too old to be replayed.
            if (!replays.accepted(id, REPLAY_PATIENCE.toMillis())) {
                endAsFailed(row);
            }
        }
    }

    /// A response that has not ended in its log yet is left to its owner.
    private void finish(StoredResponses.Row row, Replays.Replay replay) throws InterruptedException {
        TurnRun<?> run;
        try {
            run = TurnRebuilder.rebuild(apis, replay, replay.accepted(), replay.echo());
        } catch (WireException | IllegalArgumentException e) {
            endAsFailed(row);
            return;
        }
        while (run.ending().isEmpty() && run.advance(OUTPUT_PATIENCE.toMillis()).isPresent()) {
            LOG.trace("row={} read-on", row.id());
        }
        if (run.ending().isPresent()) {
            LOG.warn("row={} ended=from-its-log", row.id());
        }
    }

    /// The row says that no log has its response.
    void endAsFailed(StoredResponses.Row row) {
        var last = apis.stream()
                .flatMap(api -> api.notOnBus(row).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a row of an unknown API"));
        if (rows.finish(last.id(), last.tenant(), last.status(), last.json().get())) {
            LOG.warn("row={} ended=failed cause=not-on-bus", row.id());
        }
    }
}
