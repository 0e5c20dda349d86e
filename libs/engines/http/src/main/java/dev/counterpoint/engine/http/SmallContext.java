package dev.counterpoint.engine.http;

import java.util.Optional;

/// The word about a server whose context is much smaller than the operator's setting.
public final class SmallContext {
    /// What a server keeps for itself, a few tokens, is no fault of its operator.
    private static final int LEEWAY = 8;

    private SmallContext() {}

    /// @param told tokens of prompt and output that the smallest server takes
    /// @param wanted tokens of the setting
    /// @return with both figures; empty where they are about the same
    public static Optional<String> warning(int told, int wanted) {
        return told < wanted - wanted / LEEWAY
                ? Optional.of(
                        "context of %d tokens by a server, %d by worker.remote.context-length".formatted(told, wanted))
                : Optional.empty();
    }
}
