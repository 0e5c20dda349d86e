package dev.counterpoint.audit.log;

/// Rows from before the log, which it takes over as they are. It vouches for them from then on only.
public interface OldRows {
    /// Appends some of them as events, in the open transaction.
    ///
    /// @return whether there may be more
    boolean take();

    /// How many are left.
    long waiting();
}
