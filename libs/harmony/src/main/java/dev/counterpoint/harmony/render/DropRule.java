package dev.counterpoint.harmony.render;

/// Which earlier reasoning a rendered conversation leaves out.
public enum DropRule {
    /// As the references: when the last assistant message is `final`, analysis before the first `final`
    /// goes.
    REFERENCE,
    /// Before the last `final`, analysis and built-in tools' calls and results go; calls of functions
    /// stay with their results, on commentary, and nothing keeps the model's own spelling. After it
    /// everything stays as it is. The rule for production: it never resends the reasoning of completed
    /// turns.
    COMPLETED_TURNS,
    /// Nothing goes.
    KEEP_ALL
}
