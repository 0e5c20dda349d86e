package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.http.ServerFailure;

/// The wire format of one kind of server. Thread-safe.
public sealed interface ServerDialect permits VllmServer, SglangDialect, LlamaServerDialect {
    /// Path below a server's address that answers 200 while the server is well, with every dialect.
    String HEALTH_PATH = "/health";

    /// The server's name, for people.
    String server();

    /// How its servers write grammars.
    GrammarNotation notation();

    /// Path below a server's address to which requests are posted.
    String path();

    /// What a server says of itself.
    ///
    /// @throws UnfitServerException when it cannot serve as it is set up
    ServerProfile profile(ServerQuestioning questions) throws UnfitServerException, InterruptedException;

    /// Why a server cannot serve that fails in the smallest request, for its operator.
    default String refusal(ServerFailure failure) {
        return "does not serve as " + server() + " does: " + path() + " fails, " + failure.getMessage();
    }

    /// Whether a server may order requests by a priority; whether it does is tried.
    default boolean mayOrder() {
        return false;
    }

    /// Whether one more event, after the end of an output, tells what it took.
    default boolean tellsUsageAtTheEnd() {
        return false;
    }

    ObjectNode request(ServerRequest ask);

    Answer answer(ServerRequest ask);

    /// The events of one answer, in their order. Not thread-safe.
    interface Answer {
        /// @param event the JSON after `data:`
        /// @throws ServerFailure when this is no event of such a server, or one that tells of an error
        TokenChunk read(JsonNode event) throws ServerFailure;
    }
}
