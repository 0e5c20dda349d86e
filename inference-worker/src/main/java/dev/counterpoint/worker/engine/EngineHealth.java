package dev.counterpoint.worker.engine;

/// How an engine is at this moment.
///
/// @param freeSlots generations it would take now; 0 unless ready
/// @param freeTokens context memory that running generations do not hold, in tokens; what is only kept
///     for reuse is free
/// @param detail one line for operators, without content
public record EngineHealth(Status status, int freeSlots, long freeTokens, String detail) {
    /// What to do with an engine: wait, use, replace.
    public enum Status {
        STARTING,
        READY,
        FAILED
    }
}
