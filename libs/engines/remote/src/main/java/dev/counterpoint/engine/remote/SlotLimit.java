package dev.counterpoint.engine.remote;

import org.jspecify.annotations.Nullable;

/// How many requests of this worker one server gets at once: more while it takes all that it gets and has memory left,
/// fewer when requests wait in it. So its queue stays short, and what cannot run stays in the bands' queues, where
/// other workers find it.
///
/// @param max as the server says, or [#MAX]
record SlotLimit(int slots, int max) {
    /// vLLM runs 256 at once and more; it takes some answers after its health to find out.
    static final int FIRST = 64;
    static final int MIN = 4;
    static final int MAX = 1024;

    /// A few that wait keep a server from running dry: an eighth of those that run.
    private static final int RUNNING_PER_WAITING = 8;

    private static final double MEMORY_MAX = 0.95;

    /// @param told number of requests that the server reports to run at once; null when it reports none
    static SlotLimit first(@Nullable Integer told) {
        int max = told == null ? MAX : Math.clamp(told, 1, MAX);
        return new SlotLimit(told == null ? FIRST : max, max);
    }

    /// @param own requests of this worker that the server has
    SlotLimit next(LoadReport load, int own) {
        if (load.waiting() > Math.max(1, load.running() / RUNNING_PER_WAITING)) {
            // As many of ours as wait, if all wait alike.
            int all = load.running() + load.waiting();
            int waitingOfOurs = (int) ((long) Math.min(own, all) * load.waiting() / all);
            return with(own - waitingOfOurs);
        }
        if (load.memory() >= MEMORY_MAX) {
            return with(Math.min(slots, own));
        }
        boolean used = own >= slots - slots / 4;
        return load.waiting() == 0 && used ? with(slots + Math.max(MIN, slots / 4)) : this;
    }

    private SlotLimit with(int wanted) {
        return new SlotLimit(Math.clamp(wanted, Math.min(MIN, max), max), max);
    }
}
