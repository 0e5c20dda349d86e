package dev.counterpoint.gateway.idempotency;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.http.AnswerHeaders;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.AccessRecorder;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnRequest;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.TurnService;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs requests with a key once: key and row, then frame 0, then job. A later request with the same key and the same
/// content reads the log of the response that runs or has ended, on any replica, and so gets what the first one gets.
///
/// A gateway that dies between row and frame 0 leaves a key that stands for nothing. It is free again when that
/// gateway's heartbeats have stopped, for then no frame 0 comes any more; at the latest when the deadline of that
/// response has passed: a frame 0 that comes yet later ends as failed, so nothing runs twice. Thread-safe.
@ApplicationScoped
public class IdempotentRequests {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentRequests.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final Duration LATER = Duration.ofSeconds(2);

    private final IdempotencyStore store;
    private final TurnService turns;
    private final Replays replays;
    private final AccessRecorder rawAccess;
    private final TurnRows endings;
    private final StoredResponses rows;
    private final CurrentVertxRequest http;
    private final Fleet fleet;
    private final Duration patience;
    private final Duration abandonedAfter;
    private final InstantSource clock = InstantSource.system();

    IdempotentRequests(
            IdempotencyStore store,
            TurnService turns,
            Replays replays,
            AccessRecorder rawAccess,
            TurnRows endings,
            StoredResponses rows,
            CurrentVertxRequest http,
            Fleet fleet,
            GatewayConfig config,
            LogConfig stream) {
        this.store = store;
        this.turns = turns;
        this.replays = replays;
        this.rawAccess = rawAccess;
        this.endings = endings;
        this.rows = rows;
        this.http = http;
        this.fleet = fleet;
        patience = config.idempotencyPatience();
        abandonedAfter = stream.deadline().plus(config.orphanGrace());
    }

    /// A replay of the response to an earlier request under the same key.
    ///
    /// @return empty when there is no key, or nothing came before
    /// @throws ProblemException 409 for another request under this key, or one that nobody can read yet
    public Optional<Replays.Replay> earlier(Optional<IdempotencyKey> key) throws InterruptedException {
        return key.isEmpty() ? Optional.empty() : earlier(key.get());
    }

    private Optional<Replays.Replay> earlier(IdempotencyKey key) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        var pause = FIRST_PAUSE;
        while (true) {
            var claim = store.find(key);
            if (claim.isEmpty()) {
                return Optional.empty();
            }
            requireSame(key, claim.get());
            var response = ResponseId.parse(claim.get().response()).orElseThrow();
            var replay = replay(response);
            if (replay.isPresent()) {
                return replay;
            }
            if (isAbandoned(claim.get(), acceptedAt(response))) {
                store.forget(response);
            } else if (System.nanoTime() > deadline) {
                throw inUse();
            } else {
                Thread.sleep(pause); // the pace of asking again; nothing depends on it
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /// True if no frame 0 comes for the key's response any more, where there was none a moment ago.
    private boolean isAbandoned(IdempotencyStore.Claim claim, Instant accepted) {
        var now = clock.instant();
        var gateway = claim.gateway();
        boolean gone = gateway != null
                && fleet.livingGateways()
                        .filter(living -> !living.contains(gateway))
                        .isPresent();
        return now.isAfter(accepted.plus(gone ? Replays.APPENDED_WITHIN : abandonedAfter));
    }

    /// Starts a turn, unless another request was faster under the same key.
    ///
    /// @param id of a response that has its place
    /// @return the turn's outputs, or a replay of those of the faster one
    /// @throws ProblemException as [#earlier] and [TurnService#start]
    public Generations.Generation start(ResponseId id, TurnRequest order, Optional<IdempotencyKey> key)
            throws InterruptedException {
        if (key.isEmpty()) {
            return turns.start(id, order, null).orElseThrow();
        }
        var claim = IdempotencyStore.claim(key.get());
        boolean over = false;
        try {
            Optional<? extends Generations.Generation> generation = turns.start(id, order, claim);
            while (generation.isEmpty()) {
                var faster = earlier(key.get());
                generation = faster.isPresent() ? faster : turns.start(id, order, claim);
            }
            over = true;
            return generation.get();
        } finally {
            if (!over) {
                forget(id);
            }
        }
    }

    /// Takes note of an ending. A failed or cancelled response is no answer, so its key, if it has one, is free
    /// again.
    public void ended(ResponseId response, TurnEnding ending) {
        if (mayBeAskedAgain(ending)) {
            forget(response);
        }
    }

    /// The epilogue of a repeated response: its row is there before anyone hears of the end, as at whoever runs
    /// it.
    ///
    /// @param row id of its row, if it has one
    /// @throws ProblemException 404 when its tenant has deleted it
    public TurnRun.Epilogue epilogue(Replays.Replay replay, String row) {
        var accepted = replay.accepted();
        if (accepted.stored() && rows.findOfTenant(row, accepted.tenant()).isEmpty()) {
            replay.abandon();
            throw new ProblemException(
                    Problem.notFound("What this idempotency key stands for was deleted: '" + row + "'"));
        }
        return (ending, _) -> {
            if (replay.left()) {
                return; // how it really ends is not known
            }
            if (accepted.stored()) {
                endings.await(row, accepted.tenant());
            }
            if (mayBeAskedAgain(ending)) {
                forget(replay.id());
            }
        };
    }

    private static boolean mayBeAskedAgain(TurnEnding ending) {
        return !ending.answered() && !(ending instanceof TurnEnding.Refused);
    }

    private void forget(ResponseId response) {
        try {
            store.forget(response);
        } catch (RuntimeException e) {
            LOG.warn(
                    "responseId={} key=expires error={}", response, e.getClass().getName());
        }
    }

    private Optional<Replays.Replay> replay(ResponseId response) throws InterruptedException {
        try {
            return replays.open(response, patience.toMillis(), this::joined);
        } catch (Replays.GoneException e) {
            return Optional.empty();
        } catch (Replays.BusyException e) {
            throw new ProblemException(Problem.unavailable(
                    "slow_down", "Too many repeated requests are answered at once; try again shortly.", LATER));
        }
    }

    /// Raw reasoning that is read again is on the access log again, before its first byte.
    private Optional<Replays.Replay> joined(Replays.Replay replay) throws InterruptedException {
        if (replay.accepted().rawReaders().contains(ServiceRole.GATEWAY)) {
            rawAccess.awaitReplay(replay, replay.accepted().key());
        }
        AnswerHeaders.put(http.getCurrent(), "idempotent-replayed", "true");
        return Optional.of(replay);
    }

    private static Instant acceptedAt(ResponseId response) {
        return Instant.ofEpochMilli(response.acceptedAtMillis());
    }

    private static void requireSame(IdempotencyKey key, IdempotencyStore.Claim claim) {
        if (!MessageDigest.isEqual(key.request(), claim.request())) {
            throw new ProblemException(Problem.conflict(
                    IdempotencyKey.HEADER,
                    "idempotency_key_reused",
                    "This idempotency key was used for another request: another URL, API key or body."));
        }
    }

    private static ProblemException inUse() {
        return new ProblemException(Problem.conflictForNow(
                IdempotencyKey.HEADER,
                "idempotency_key_in_use",
                "A request with this idempotency key is being accepted; try again shortly.",
                LATER));
    }
}
