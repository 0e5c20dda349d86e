package dev.counterpoint.gateway.generation;

import dev.counterpoint.bus.frame.Accepted;

/// Takes up a response that was accepted before this gateway started: reads its outputs from the first one on
/// and writes its row, as the one who asked would have. Implemented where rows are known.
public interface RecoveredResponseHandler {
    /// Called once for each such response, on the following loop: must return at once.
    ///
    /// @param echo of its submission
    void handle(Generations.Generation generation, Accepted accepted, byte[] echo);
}
