package dev.counterpoint.worker.take;

import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import java.time.Duration;
import java.util.List;

/// Decides once per interval whether a worker's heartbeat is due: every time while jobs run, every second time
/// while idle, and always after a change of the inbox. Not thread-safe.
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
