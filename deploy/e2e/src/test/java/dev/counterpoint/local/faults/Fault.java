package dev.counterpoint.local.faults;

import java.time.Duration;
import java.util.Locale;

/// One thing that is done to one process of the suite.
///
/// @param at when, from the start of the faults
/// @param target name of the process, such as `worker-2`
/// @param lasts how long; zero for what is over at once, whatever the target needs to come back
record Fault(Duration at, Kind kind, String target, Duration lasts) {
    enum Kind {
        /// SIGKILL; the launcher starts it again.
        KILL,
        /// The signal that asks it to stop; the launcher starts it again.
        STOP,
        /// SIGSTOP, and SIGCONT at the end: a machine that hangs.
        FREEZE,
        /// Connections to the broker are reset, and new ones refused.
        CUT_BROKER,
        /// Connections to the broker stay, and no byte passes.
        STALL_BROKER,
        /// Connections to the database are reset, and new ones refused.
        CUT_DATABASE,
        /// Connections to the database stay, and no byte passes.
        STALL_DATABASE,
        /// SIGSTOP of all of PostgreSQL, for longer than its clients wait, and SIGCONT: a disk that hangs, for every
        /// service at once.
        HANG_DATABASE;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    Duration end() {
        return at.plus(lasts);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%7.1f s  %-14s %-12s %s",
                at.toMillis() / 1000.0,
                kind.word(),
                target,
                lasts.isZero() ? "" : String.format(Locale.ROOT, "%.1f s", lasts.toMillis() / 1000.0));
    }
}
