package dev.counterpoint.worker.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The wire format of one kind of server. Thread-safe.
public sealed interface Dialect permits VllmDialect, VllmTokensDialect, SglangDialect, LlamaServerDialect {
    /// The server's name, for people.
    String server();

    /// Where requests are posted, below a server's address.
    String path();

    /// What answers 200 while the server is well, below its address.
    default String healthPath() {
        return "/health";
    }

    /// The body of a request.
    ObjectNode request(Ask ask);

    /// Reads the events of one answer.
    Answer answer(Ask ask);

    /// The events of one answer, in their order. Not thread-safe.
    interface Answer {
        /// @param event the JSON after `data:`
        /// @throws RemoteFailure when this is no event of such a server, or one that tells of an error
        Chunk read(JsonNode event) throws RemoteFailure;
    }
}
