package dev.counterpoint.engine.remote;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a server said of itself, and showed when it was tried.
///
/// @param version as the server tells it; empty where it does not
/// @param contextLength tokens of prompt and output that it takes; null where it does not tell
/// @param requestsMax how many it runs at once; null where it does not tell
/// @param priorities how it orders requests that wait
/// @param warnings what its operator could do better, in words
/// @param takesBias whether it takes a bias: vLLM takes none while it drafts tokens
/// @param drawsByPosition whether a draw is a function of the output's seed and the position, so that a resumed output
///     goes on as it would have
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
