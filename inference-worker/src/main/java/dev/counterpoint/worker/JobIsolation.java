package dev.counterpoint.worker;

/// Whether a worker takes isolated jobs: those whose worker died or hung before.
public enum JobIsolation {
    /// One at a time, when nothing else runs; nothing else is taken until it has ended.
    IDLE,
    /// One at a time, and never anything else.
    ONLY,
    /// No. Another worker takes them.
    NEVER
}
