package dev.counterpoint.harmony;

/// Which earlier reasoning a rendered conversation leaves out.
public enum DropRule {
    /// As the references: when the last assistant message is `final`, analysis before the first `final` goes.
    REFERENCE,
    /// Analysis before the last `final` goes, the open turn stays whole. Calls of functions and their results stay
    /// whatever their channel. The rule for production: it never resends the reasoning of completed turns.
    COMPLETED_TURNS,
    /// Nothing goes.
    KEEP_ALL
}
