package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.HousekeepingTask;
import dev.counterpoint.gateway.store.StoredResponses;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Ends rows that nobody else will end: their gateway died between the row and frame 0, or never learned that the row
/// was written. No log says anything of them, so no owner knows them, and their callers were told of nothing.
///
/// A frame 0 that is merely late does no harm. A row is looked at only when its response's deadline has passed; whoever
/// reads such a frame then ends the response as failed too, and the first ending of the row stays. Any replica does
/// this, and all of them at once may.
@ApplicationScoped
class OrphanRows implements HousekeepingTask {
    private static final Logger LOG = Logger.getLogger(OrphanRows.class);
    private static final int ROWS_AT_ONCE = 100;
    private static final int ROUNDS_MAX = 1_000;
    private static final Duration REPLAY_PATIENCE = Duration.ofSeconds(5);

    private final StoredResponses rows;
    private final Replays replays;
    private final Instance<TurnRebuilder> apis;
    private final Duration age;

    @Inject
    OrphanRows(
            StoredResponses rows,
            Replays replays,
            @Any Instance<TurnRebuilder> apis,
            GatewayConfig config,
            LogConfig stream) {
        this.rows = rows;
        this.replays = replays;
        this.apis = apis;
        this.age = stream.deadline().plus(config.orphanGrace());
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
            endThoseWithoutLog(some);
            if (some.size() < ROWS_AT_ONCE) {
                return;
            }
            after = some.getLast().id();
        }
    }

    private void endThoseWithoutLog(List<StoredResponses.Row> some) throws InterruptedException {
        for (var row : some) {
            try {
                if (!isInLog(row)) {
                    end(row);
                }
            } catch (Replays.BusyException | BackendUnavailableException e) {
                LOG.debugf("row=%s looked-up=later cause=%s", row.id(), e.getMessage());
            } catch (RuntimeException e) {
                // What a row held may stand in the message.
                LOG.errorf("row=%s not-ended=%s", row.id(), e.getClass().getName());
            }
        }
    }

    private boolean isInLog(StoredResponses.Row row) throws InterruptedException {
        var id = response(row);
        return id.isEmpty() || replays.accepted(id.get(), REPLAY_PATIENCE.toMillis());
    }

    private static Optional<ResponseId> response(StoredResponses.Row row) {
        return TurnIds.parseResponse(row.id()).or(() -> TurnIds.parseCompletion(row.id()));
    }

    private void end(StoredResponses.Row row) {
        var last = apis.stream()
                .flatMap(api -> api.neverQueued(row).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a row of an unknown API"));
        if (rows.finish(last.id(), last.tenant(), last.status(), last.json())) {
            LOG.warnf("row=%s ended=failed cause=never-queued", row.id());
        }
    }
}
