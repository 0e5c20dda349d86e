package dev.counterpoint.gateway.fleet;

import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;

/// A worker as this gateway last heard of it.
///
/// @param id its incarnation, which is new at every start
/// @param model as of its last heartbeat; free slots also by the frames since
/// @param silence time since its last heartbeat
public record WorkerStatus(String id, Heartbeat.Model model, State state, Duration silence) {
    /// The state of a worker.
    public enum State {
        /// Its heartbeats come, and it offers slots.
        READY,
        /// Its heartbeats come, and it offers no slots.
        WITHOUT_SLOTS,
        /// Its heartbeats are missing; what it runs stays with it.
        SILENT,
        /// It was silent for so long that its responses go to other workers.
        DEAD,
        /// It announced that it leaves.
        LEFT
    }
}
