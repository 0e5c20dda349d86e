package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.RecoveredResponseHandler;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.openai.json.WireException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// Brings turns to their end that a gateway left behind. One that nobody can read any more is ended at the model too.
@ApplicationScoped
class TurnRecoveryDispatcher implements RecoveredResponseHandler {
    private static final Logger LOG = Logger.getLogger(TurnRecoveryDispatcher.class);

    private final Instance<TurnRebuilder> apis;
    private final StoredResponses rows;
    private final Generations generations;

    @Inject
    TurnRecoveryDispatcher(@Any Instance<TurnRebuilder> apis, StoredResponses rows, Generations generations) {
        this.apis = apis;
        this.rows = rows;
        this.generations = generations;
    }

    /// A log does not say in clear of which API its response is, so rows of both are asked for.
    @Override
    public Set<ResponseId> ended(List<ResponseId> ids) {
        return rows.ended(names(ids)).stream()
                .flatMap(name -> TurnIds.parse(name).stream())
                .collect(Collectors.toSet());
    }

    private static List<String> names(List<ResponseId> ids) {
        return ids.stream()
                .map(TurnIds::new)
                .flatMap(id -> Stream.of(id.response(), id.completion()))
                .toList();
    }

    @Override
    public void handle(Generations.Generation generation, Accepted accepted, byte[] echo) {
        Thread.ofVirtual().name("recovered-" + generation.id()).start(() -> {
            try {
                if (isOver(generation.id(), accepted)) {
                    end(generation);
                } else {
                    resume(generation, accepted, echo);
                }
            } catch (WireException | IllegalArgumentException e) {
                LOG.errorf(
                        "responseId=%s echo=unreadable error=%s",
                        generation.id(), e.getClass().getName());
            }
        });
    }

    /// A database that does not answer says nothing.
    private boolean isOver(ResponseId id, Accepted accepted) {
        try {
            return accepted.stored() && !ended(List.of(id)).isEmpty();
        } catch (Sql.FailedException e) {
            return false;
        }
    }

    /// Its frame 0 came after its row had ended, so nobody waits for it. The log ends as the row did: a request that
    /// was
    /// refused was not cancelled.
    private void end(Generations.Generation generation) {
        var id = generation.id();
        try {
            if (rows.anyFailed(names(List.of(id)))) {
                generations.withdraw(id);
            } else {
                generations.cancel(id);
            }
        } catch (BackendUnavailableException | Sql.FailedException e) {
            LOG.warnf("responseId=%s runs-on=unread", generation.id());
        } finally {
            generation.settle();
        }
    }

    private void resume(Generations.Generation generation, Accepted accepted, byte[] echo) {
        var run = TurnRebuilder.rebuild(apis, generation, accepted, echo);
        if (accepted.stored() || accepted.background()) {
            run.detach();
        } else {
            run.abandon();
        }
    }
}
