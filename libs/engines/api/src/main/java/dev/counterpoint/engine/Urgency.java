package dev.counterpoint.engine;

/// Which of several waiting generations an engine begins first, where it can choose.
public enum Urgency {
    /// Somebody waits.
    HIGH,
    NORMAL,
    /// Can wait.
    LOW
}
