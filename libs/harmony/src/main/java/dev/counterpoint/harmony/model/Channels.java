package dev.counterpoint.harmony.model;

import java.util.List;

/// The three channels the model knows. A message's channel is free text; these are its usual values.
public final class Channels {
    /// Chain of thought, and calls of built-in tools. Not for users.
    public static final String ANALYSIS = "analysis";

    /// Function calls (with a recipient) and preambles that users may see (without one).
    public static final String COMMENTARY = "commentary";

    /// The answer.
    public static final String FINAL = "final";

    /// All three, in the order the system message lists them.
    public static final List<String> ALL = List.of(ANALYSIS, COMMENTARY, FINAL);

    private Channels() {}
}
