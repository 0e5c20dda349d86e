package dev.counterpoint.audit.log;

/// Rows from before the log, taken over as they are. The log proves nothing about their earlier time.
public interface OldRows {
    /// Appends some of them as events, in the open transaction.
    ///
    /// @return whether there may be more
    boolean take();

    /// How many are left.
    long waiting();
}
