package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.store.TurnReasoning;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.gateway.turn.TurnEnding;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps the sealed reasoning of turns that wait for a tool, because most chat clients do not send it back. A client
/// gets its call once the reasoning is stored; only an outage of more than half a minute lets a call out without it. A
/// request that comes while it cannot be read is asked to retry. Thread-safe.
@ApplicationScoped
class OpenToolTurns {
    /// Stands between the blobs of one turn; no blob holds it.
    private static final String BETWEEN = ",";

    private final TurnReasoning kept;
    private final TurnRows rows;
    private final InstantSource clock = InstantSource.system();

    OpenToolTurns(TurnReasoning kept, TurnRows rows) {
        this.kept = kept;
        this.rows = rows;
    }

    /// Keeps what a turn thought that ended in calls.
    ///
    /// @param response that the turn is
    /// @param user the end user of the request, empty for none; null when that is not known
    void keep(ResponseId response, Caller caller, @Nullable String user, ChatAssembler turn) {
        var sealed = turn.sealed();
        boolean open =
                turn.ending().filter(TurnEnding.Complete.class::isInstance).isPresent();
        var calls = List.copyOf(turn.callIds());
        if (!open || sealed.isEmpty() || calls.isEmpty()) {
            return;
        }
        var expiresAt = clock.instant().plus(StoredResponses.SEALED_LIFETIME);
        var entry = new TurnReasoning.Entry(
                caller.tenant(),
                caller.key(),
                user,
                Instant.ofEpochMilli(response.acceptedAtMillis()),
                calls,
                String.join(BETWEEN, sealed),
                expiresAt);
        rows.finish(new TurnIds(response).completion(), () -> kept.put(entry));
    }

    /// Forgets what the turn thought that made these calls, because it has been answered.
    ///
    /// @param id of the completion that answered it
    void forget(String id, Caller caller, List<String> calls) {
        if (!calls.isEmpty()) {
            rows.later(id, () -> kept.forget(caller.tenant(), caller.key(), calls));
        }
    }

    /// Finds the sealed reasoning of the turn that made one of these calls, run by run; one empty text when the
    /// turn was answered.
    List<String> find(Owner owner, List<String> calls) {
        return calls.stream()
                .map(call -> kept.find(owner, call))
                .flatMap(Optional::stream)
                .findFirst()
                .map(found -> List.of(found.split(BETWEEN, -1)))
                .orElse(List.of());
    }
}
