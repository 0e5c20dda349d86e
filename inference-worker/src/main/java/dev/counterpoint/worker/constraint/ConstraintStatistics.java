package dev.counterpoint.worker.constraint;

/// What this process has done for the constraints of turns so far.
///
/// @param compiled constraints, those that could not be enforced included
/// @param compileNanos the time that took, in nanoseconds
/// @param reused how often a constraint was there already
public record ConstraintStatistics(long compiled, long compileNanos, long reused) {}
