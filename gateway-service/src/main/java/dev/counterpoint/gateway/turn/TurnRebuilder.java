package dev.counterpoint.gateway.turn;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.store.StoredResponses;
import java.util.Optional;

/// Rebuilds a turn of one API from what travelled with it. Thread-safe.
public interface TurnRebuilder {
    /// The `kind` of its echoes.
    String kind();

    /// The turn, as the one who asked had it.
    TurnRun<?> rebuild(Generations.Generation generation, Accepted accepted, JsonNode echo);

    /// The ending of a row whose request never came into the log; empty when the row is not of this API.
    Optional<TurnRows.Last> neverQueued(StoredResponses.Row row);
}
