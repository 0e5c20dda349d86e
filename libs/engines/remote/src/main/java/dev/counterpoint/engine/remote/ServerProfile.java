package dev.counterpoint.engine.remote;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a server said of itself, and showed when it was tried.
///
/// @param version as the server tells it; empty where it does not
/// @param contextLength tokens of prompt and output that it takes; null where it does not tell
/// @param takesBias whether it takes a bias: vLLM takes none while it drafts tokens
/// @param priorities how it orders requests that wait
/// @param drawsByPosition whether a draw is a function of the output's seed and the position, so that a resumed output
///     goes on as it would have
/// @param requestsMax how many it runs at once; null where it does not tell
/// @param warnings what its operator could do better, in words
record ServerProfile(
        String version,
        @Nullable Integer contextLength,
        boolean takesBias,
        Priorities priorities,
        boolean drawsByPosition,
        @Nullable Integer requestsMax,
        List<String> warnings) {
    /// Of a server that nobody has asked yet.
    static final ServerProfile UNKNOWN = new ServerProfile("", null, true, Priorities.NONE, false, null, List.of());

    /// The order of requests that wait in a server.
    enum Priorities {
        /// Who comes first; a server may refuse a priority then.
        NONE,
        LOWEST_FIRST,
        HIGHEST_FIRST
    }

    ServerProfile {
        warnings = List.copyOf(warnings);
    }

    ServerProfile withVersion(String told) {
        return new ServerProfile(told, contextLength, takesBias, priorities, drawsByPosition, requestsMax, warnings);
    }

    ServerProfile withSizes(@Nullable Integer context, @Nullable Integer requests) {
        return new ServerProfile(version, context, takesBias, priorities, drawsByPosition, requests, warnings);
    }

    ServerProfile withPriorities(Priorities order) {
        return new ServerProfile(version, contextLength, takesBias, order, drawsByPosition, requestsMax, warnings);
    }

    ServerProfile withoutBias() {
        return new ServerProfile(version, contextLength, false, priorities, drawsByPosition, requestsMax, warnings);
    }

    ServerProfile drawingByPosition() {
        return new ServerProfile(version, contextLength, takesBias, priorities, true, requestsMax, warnings);
    }

    ServerProfile withWarning(String warning) {
        var all = Stream.concat(warnings.stream(), Stream.of(warning)).toList();
        return new ServerProfile(version, contextLength, takesBias, priorities, drawsByPosition, requestsMax, all);
    }
}
