package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.generation.RecoveredResponseHandler;
import dev.counterpoint.gateway.generation.Replays;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides what becomes of a response that another gateway accepted, or this one before it was started again.
@Singleton
final class ResponseRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseRecovery.class);

    private final KeyRing keys;
    private final FleetMembership fleet;
    private final Replays replays;
    private final Admission admission;
    private final Instance<RecoveredResponseHandler> handlers;
    private final Executor recovering =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().name("recover").factory());

    @Inject
    ResponseRecovery(
            KeyRing keys,
            FleetMembership fleet,
            Replays replays,
            Admission admission,
            Instance<RecoveredResponseHandler> handlers) {
        this.keys = keys;
        this.fleet = fleet;
        this.replays = replays;
        this.admission = admission;
        this.handlers = handlers;
    }

    /// A stored response is read to its end here. One that is not stored is for a client that another gateway
    /// holds: it runs on while that gateway lives, and ends with it. Called on the following loop, and waits for
    /// nothing there.
    void recover(FollowedResponse response) {
        var accepted = response.accepted;
        var waiting = response.expected;
        if (accepted.stored()) {
            recovering.execute(() -> readToItsEnd(response));
            return;
        }
        waiting.settle();
        if (accepted.background()) {
            return;
        }
        if (accepted.gateway().isEmpty() || accepted.gateway().equals(fleet.self())) {
            waiting.abandon();
        } else {
            response.hangOn(accepted.gateway());
        }
    }

    private void readToItsEnd(FollowedResponse response) {
        var accepted = response.accepted;
        var waiting = response.expected;
        try {
            var echo = keys.open(accepted.sealed().echo(), BusGenerations.echoContext(response.id));
            var generation = new LiveGeneration(response.id, waiting, accepted.background(), replays, admission);
            handlers.forEach(handler -> handler.handle(generation, accepted, echo));
        } catch (RuntimeException e) {
            LOG.error("response is not taken up responseId={}", response.id, e);
            waiting.abandon();
            waiting.settle();
        }
    }
}
