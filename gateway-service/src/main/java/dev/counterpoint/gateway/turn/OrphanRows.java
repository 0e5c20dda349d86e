package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.HousekeepingTask;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.openai.json.WireException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;

/// Brings rows to an end that nobody else will end, some time after their responses' deadlines. Where the log does not
/// know the response, its gateway died between the row and frame 0, and the row ends as failed. Where it does, whoever
/// was to write the row could not: a thread died, an echo cannot be read, the database was away for too long. Then the
/// row is written from the log.
///
/// A frame 0 that is merely late does no harm: whoever reads it ends the response as failed too, and the first ending
/// of the row stays. Any replica does this, and all of them at once may.
@ApplicationScoped
class OrphanRows implements HousekeepingTask {
    private static final Logger LOG = Logger.getLogger(OrphanRows.class);
    private static final int ROWS_AT_ONCE = 100;
    private static final int ROUNDS_MAX = 1_000;
    private static final Duration REPLAY_PATIENCE = Duration.ofSeconds(5);
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);

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
            lookAt(some);
            if (some.size() < ROWS_AT_ONCE) {
                return;
            }
            after = some.getLast().id();
        }
    }

    private void lookAt(List<StoredResponses.Row> some) throws InterruptedException {
        for (var row : some) {
            try {
                var id = TurnIds.parse(row.id());
                if (id.isPresent()) {
                    lookAt(row, id.get());
                }
            } catch (Replays.BusyException | BackendUnavailableException e) {
                LOG.debugf("row=%s looked-up=later cause=%s", row.id(), e.getMessage());
            } catch (RuntimeException e) {
                // What a row held may stand in the message.
                LOG.errorf("row=%s not-ended=%s", row.id(), e.getClass().getName());
            }
        }
    }

    private void lookAt(StoredResponses.Row row, ResponseId id) throws InterruptedException {
        try (var replay = replays.complete(id, REPLAY_PATIENCE.toMillis())) {
            finish(row, replay);
        } catch (Replays.GoneException e) {
            // It may be in a log that is too old to be replayed.
            if (!replays.accepted(id, REPLAY_PATIENCE.toMillis())) {
                end(row);
            }
        }
    }

    /// What has not ended in its log yet is left to its owner.
    private void finish(StoredResponses.Row row, Replays.Replay replay) throws InterruptedException {
        TurnRun<?> run;
        try {
            run = TurnRebuilder.rebuild(apis, replay, replay.accepted(), replay.echo());
        } catch (WireException | IllegalArgumentException e) {
            end(row);
            return;
        }
        while (run.ending().isEmpty() && run.advance(OUTPUT_PATIENCE.toMillis()).isPresent()) {
            LOG.tracef("row=%s read-on", row.id());
        }
        if (run.ending().isPresent()) {
            LOG.warnf("row=%s ended=from-its-log", row.id());
        }
    }

    /// The row says that its request came into no log.
    void end(StoredResponses.Row row) {
        var last = apis.stream()
                .flatMap(api -> api.neverQueued(row).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a row of an unknown API"));
        if (rows.finish(last.id(), last.tenant(), last.status(), last.json().get())) {
            LOG.warnf("row=%s ended=failed cause=never-queued", row.id());
        }
    }
}
