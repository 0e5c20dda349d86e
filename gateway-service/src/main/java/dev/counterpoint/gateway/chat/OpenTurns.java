package dev.counterpoint.gateway.chat;

import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.store.TurnReasoning;
import dev.counterpoint.gateway.turn.Ending;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.InstantSource;
import java.util.List;
import org.jboss.logging.Logger;

/// Keeps the sealed reasoning of turns that wait for a tool, because most chat clients do not bring it back. Without it
/// the model thinks anew: worse, but an answer. So nothing here fails a request. Thread-safe.
@ApplicationScoped
class OpenTurns {
    private static final Logger LOG = Logger.getLogger(OpenTurns.class);
    /// Stands between the blobs of one turn; no blob holds it.
    private static final String BETWEEN = ",";

    private final TurnReasoning kept;
    private final InstantSource clock = InstantSource.system();

    @Inject
    OpenTurns(TurnReasoning kept) {
        this.kept = kept;
    }

    /// Keeps what a turn thought that ended in calls.
    void keep(String tenant, ChatAssembler turn) {
        var sealed = turn.sealed();
        boolean open = turn.ending().filter(Ending.Complete.class::isInstance).isPresent();
        if (!open || sealed.isEmpty()) {
            return;
        }
        var expiresAt = clock.instant().plus(StoredResponses.SEALED_LIFETIME);
        try {
            for (var call : turn.callIds()) {
                kept.put(new TurnReasoning.Entry(tenant, call, String.join(BETWEEN, sealed), expiresAt));
            }
        } catch (RuntimeException e) {
            LOG.warnf(
                    "tenant=%s turnReasoning=not-kept error=%s",
                    tenant, e.getClass().getName());
        }
    }

    /// Forgets what the turn thought that made these calls, because it has been answered.
    void forget(String tenant, List<String> calls) {
        if (calls.isEmpty()) {
            return;
        }
        try {
            kept.forget(tenant, calls);
        } catch (RuntimeException e) {
            LOG.warnf(
                    "tenant=%s turnReasoning=not-forgotten-yet error=%s",
                    tenant, e.getClass().getName());
        }
    }

    /// What the turn thought that made one of these calls, run by run.
    List<String> find(String tenant, List<String> calls) {
        try {
            for (var call : calls) {
                var found = kept.find(tenant, call);
                if (found.isPresent()) {
                    return List.of(found.get().split(BETWEEN, -1));
                }
            }
        } catch (RuntimeException e) {
            LOG.warnf(
                    "tenant=%s turnReasoning=not-read error=%s",
                    tenant, e.getClass().getName());
        }
        return List.of();
    }
}
