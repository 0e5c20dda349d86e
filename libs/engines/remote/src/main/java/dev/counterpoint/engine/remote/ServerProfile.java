package dev.counterpoint.engine.remote;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The facts that a server reported and the behaviour that it showed in a trial.
///
/// @param version version that the server reports; empty when it reports none
/// @param contextLength maximum tokens of prompt and output together; null when the server reports none
/// @param requestsMax number of requests that the server runs at once; null when it reports none
/// @param priorities order in which the server runs waiting requests
/// @param warnings advice for the server's operator, in words
/// @param takesBias whether the server accepts a bias: vLLM accepts none while it drafts tokens
/// @param drawsByPosition whether a draw depends only on the output's seed and the position, so that a resumed
///     output continues unchanged
record ServerProfile(
        String version,
        @Nullable Integer contextLength,
        @Nullable Integer requestsMax,
        Priorities priorities,
        List<String> warnings,
        boolean takesBias,
        boolean drawsByPosition) {
    /// Of a server that nobody has asked yet.
    static final ServerProfile UNKNOWN = new ServerProfile("", null, null, Priorities.NONE, List.of());

    /// The order of requests that wait in a server.
    enum Priorities {
        /// Who comes first; a server may refuse a priority then.
        NONE,
        LOWEST_FIRST,
        HIGHEST_FIRST
    }

    /// Of a server that was not tried yet.
    ServerProfile(
            String version,
            @Nullable Integer contextLength,
            @Nullable Integer requestsMax,
            Priorities priorities,
            List<String> warnings) {
        this(version, contextLength, requestsMax, priorities, List.copyOf(warnings), true, false);
    }

    ServerProfile withPriorities(Priorities order) {
        return new ServerProfile(version, contextLength, requestsMax, order, warnings, takesBias, drawsByPosition);
    }

    ServerProfile withoutBias() {
        return new ServerProfile(version, contextLength, requestsMax, priorities, warnings, false, drawsByPosition);
    }

    ServerProfile drawingByPosition() {
        return new ServerProfile(version, contextLength, requestsMax, priorities, warnings, takesBias, true);
    }
}
