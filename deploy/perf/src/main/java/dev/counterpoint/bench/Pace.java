package dev.counterpoint.bench;

import java.time.Duration;

/// How the upstream speaks: so many tokens, so far apart; the first comes at once. Set by `-Dtokens` and `-Dpace`.
record Pace(int tokens, Duration gap) {
    static Pace fromProperties() {
        return new Pace(Integer.getInteger("tokens", 64), Duration.ofMillis(Integer.getInteger("pace", 20)));
    }

    /// From the first token to the last.
    Duration answer() {
        return gap.multipliedBy(tokens - 1L);
    }

    /// Tokens of one open stream in a second.
    double tokensPerSecond() {
        return tokens * 1e9 / answer().plus(gap).toNanos();
    }
}
