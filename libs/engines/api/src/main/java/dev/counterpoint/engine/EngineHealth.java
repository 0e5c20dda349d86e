package dev.counterpoint.engine;

/// The state of an engine at this moment.
///
/// @param freeSlots generations it would take now; 0 unless ready
/// @param freeTokens context memory that running generations do not hold, in tokens; what is only kept
///     for reuse is free
/// @param detail one line for operators, without content
public record EngineHealth(Status status, int freeSlots, long freeTokens, String detail) {
    /// The health of an engine that was closed.
    public static final EngineHealth CLOSED = new EngineHealth(Status.FAILED, 0, 0, "closed");

    /// The three states ask for three reactions: wait, use, replace.
    public enum Status {
        STARTING,
        READY,
        FAILED
    }
}
