package dev.counterpoint.gateway.generation;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import java.util.List;
import java.util.Set;

/// Takes up a response that was accepted before this gateway started: reads its outputs from the first one on
/// and writes its row, as the one who asked would have. Implemented where rows are known.
public interface RecoveredResponseHandler {
    /// Which of these responses have their ending on record. One question for all.
    Set<ResponseId> ended(List<ResponseId> ids);

    /// Called once for each response that is to be taken up: must return soon.
    ///
    /// @param echo of its submission
    void handle(Generations.Generation generation, Accepted accepted, byte[] echo);
}
