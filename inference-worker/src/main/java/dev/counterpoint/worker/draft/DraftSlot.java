package dev.counterpoint.worker.draft;

/// One slot of the engine for a draft, until it is closed.
public interface DraftSlot extends AutoCloseable {
    /// The engine counts the draft from now on.
    void started();

    /// The draft's prompt is in the engine's memory.
    void firstToken();

    @Override
    void close();
}
