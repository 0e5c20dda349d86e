package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.http.UpstreamAccess;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The servers of the engine and their wire format.
///
/// @param dialect wire format of the servers
/// @param model name of the model, as clients name it
/// @param upstreamModel the name under which the servers serve the model; null when they serve one only
/// @param slots generations at once, on all servers together; empty where that follows from what they say
/// @param contextLength tokens of prompt and output of one generation; no more than the servers allow
public record RemoteOptions(
        ServerDialect dialect,
        String model,
        @Nullable String upstreamModel,
        UpstreamAccess access,
        OptionalInt slots,
        int contextLength) {
    public RemoteOptions {
        if (slots.orElse(1) < 1 || contextLength < 2) {
            throw new IllegalArgumentException("slots or contextLength is too small");
        }
    }
}
