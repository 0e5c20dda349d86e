package dev.counterpoint.worker.constraint;

/// Counts of this process's work on turn constraints since its start.
///
/// @param compiled constraints, including those that could not be enforced
/// @param compileNanos the time that took, in nanoseconds
/// @param reused how often a constraint was there already
public record ConstraintStatistics(long compiled, long compileNanos, long reused) {}
