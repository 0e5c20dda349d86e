package dev.counterpoint.gateway.turn;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import java.util.Optional;

/// Rebuilds a turn of one API from what travelled with it. Thread-safe.
public interface TurnRebuilder {
    /// The `kind` of its echoes.
    String kind();

    /// The turn, as the one who asked had it.
    TurnRun<?> rebuild(Generations.Generation generation, Accepted accepted, JsonNode echo);

    /// The same by the API that wrote the echo.
    ///
    /// @throws WireException for an echo that cannot be read
    /// @throws IllegalArgumentException for one of none of these APIs
    static TurnRun<?> rebuild(
            Iterable<TurnRebuilder> apis, Generations.Generation generation, Accepted accepted, byte[] echo) {
        var tree = WireJson.parse(echo);
        var kind = tree.path("kind").asText();
        for (var api : apis) {
            if (api.kind().equals(kind)) {
                return api.rebuild(generation, accepted, tree);
            }
        }
        throw new IllegalArgumentException("an echo of an unknown kind");
    }

    /// The ending of a row whose request never came into the log; empty when the row is not of this API.
    Optional<TurnRows.Last> notOnBus(StoredResponses.Row row);
}
