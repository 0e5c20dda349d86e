package dev.counterpoint.engine.testkit;

/// How fast a server of models is that computes prompts one after another, and outputs beside each other.
///
/// @param promptTokens that it computes in a second
/// @param cacheTokens of prompts that it keeps
/// @param tokenSeconds from one token of an output to the next
/// @param besideSeconds more for each other output
public record ServerPace(int promptTokens, int cacheTokens, double tokenSeconds, double besideSeconds) {
    /// A large GPU's.
    public static final ServerPace USUAL = new ServerPace(25_000, 600_000, 0.008, 0.0001);
    /// For [AgentTraces.Sizes#SMALL], as busy with them.
    public static final ServerPace SMALL = new ServerPace(1_600, 50_000, 0.1, 0.001);

    /// The time to compute a prompt.
    ///
    /// @param warm tokens of it that it has
    public double promptSeconds(int tokens, int warm) {
        return (double) (tokens - warm) / promptTokens;
    }

    /// From one token of an output to the next.
    ///
    /// @param others outputs beside it
    public double tokenSeconds(int others) {
        return tokenSeconds + besideSeconds * others;
    }
}
