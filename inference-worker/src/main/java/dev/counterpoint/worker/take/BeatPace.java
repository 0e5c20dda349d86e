package dev.counterpoint.worker.take;

import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import java.time.Duration;
import java.util.List;

/// When a worker's next heartbeat is due, asked once an interval: each time while something runs, every other time
/// while nothing does, and always when the inbox is another. Not thread-safe.
final class BeatPace {
    private static final int IDLE_INTERVALS = 2;

    private final Duration interval;
    private List<InboxPartition> told = List.of();
    private int passed;

    BeatPace(Duration interval) {
        this.interval = interval;
    }

    boolean due(boolean idle, List<InboxPartition> inbox) {
        passed++;
        if (idle && passed < IDLE_INTERVALS && inbox.equals(told)) {
            return false;
        }
        passed = 0;
        told = inbox;
        return true;
    }

    /// The time until the next heartbeat at most.
    Duration interval(boolean idle) {
        return idle ? interval.multipliedBy(IDLE_INTERVALS) : interval;
    }
}
