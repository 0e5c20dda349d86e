package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.turn.StoredDeletions;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.gateway.turn.TurnRows;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/// Ends responses at their caller's wish, whichever gateway runs them. Thread-safe.
@ApplicationScoped
class ResponseCancellation {
    private final Generations generations;
    private final StoredResponses rows;
    private final TurnRows endings;
    private final StoredDeletions deletions;
    private final GatewayConfig config;

    ResponseCancellation(
            Generations generations,
            StoredResponses rows,
            TurnRows endings,
            StoredDeletions deletions,
            GatewayConfig config) {
        this.generations = generations;
        this.rows = rows;
        this.endings = endings;
        this.deletions = deletions;
        this.config = config;
    }

    /// Cancels a background response. One that has ended stays as it is, so this can be repeated.
    ///
    /// @return the final state as JSON, be it that it was cancelled, be it that its own end came first; empty when
    ///     the caller has no such response
    /// @throws ProblemException 400 for a response that is bound to its client, 503 when nobody can say yet how it
    ///     ended
    Optional<String> cancel(String id, Owner owner) throws InterruptedException {
        var response = TurnIds.parseResponse(id);
        var row = response.flatMap(_ -> rows.find(id, owner));
        if (row.isEmpty()) {
            return Optional.empty();
        }
        if (!row.get().background()) {
            throw new ProblemException(Problem.invalidRequest(
                    "response_id", "Only a response that was created with 'background' set to true can be cancelled."));
        }
        if (row.get().responseJson() == null) {
            generations.cancel(response.orElseThrow());
        }
        return switch (endings.await(id, owner.tenant(), config.cancelTimeout())) {
            case TurnRows.Outcome.Written(String json) -> Optional.of(json);
            case TurnRows.Outcome.Gone() -> Optional.empty();
            case TurnRows.Outcome.Late() ->
                throw new ProblemException(
                        Problem.unavailable("The response is being cancelled; ask again for what became of it."));
        };
    }

    /// Deletes a response. One that runs is cancelled too, in the foreground as well: nobody may read what it would
    /// say.
    ///
    /// @return false when the caller has no such response
    boolean delete(String id, Owner owner) {
        var response = TurnIds.parseResponse(id);
        return response.isPresent() && deletions.delete(response.get(), id, owner);
    }
}
