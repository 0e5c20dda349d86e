package dev.counterpoint.local;

import java.time.Duration;

/// Decides about one process of the suite that ended unasked: started again, unless it keeps dying at once.
/// Not thread-safe.
final class RestartPolicy {
    /// A process that ends sooner after its start died at once.
    static final Duration AT_ONCE = Duration.ofSeconds(10);

    static final int DEATHS_MAX = 3;

    enum Verdict {
        RESTART,
        GIVE_UP
    }

    private int deathsAtOnce;

    /// @param lived from its start to its end
    Verdict ended(Duration lived) {
        deathsAtOnce = lived.compareTo(AT_ONCE) < 0 ? deathsAtOnce + 1 : 0;
        return deathsAtOnce < DEATHS_MAX ? Verdict.RESTART : Verdict.GIVE_UP;
    }
}
