package dev.counterpoint.summarizer.write;

import java.util.Locale;

/// The outcome of a change assigned to a model. If its part is not shown, a described part takes the place.
public enum PartOutcome {
    SHOWN,
    /// A model chose the description that is shown.
    DECIDED,
    /// No room for one more draft on this replica, or its last drafts had no answer.
    NO_ROOM,
    /// No model wrote or judged within the wait, or the message of reasoning was over before.
    LATE,
    /// A worker says that nothing comes.
    FAILED,
    /// Not what the schema says.
    MALFORMED,
    /// The same was shown before.
    REPEATED,
    /// The policy model did not say that it is allowed.
    POLICY,
    /// There are more confidential texts than a policy model can read.
    TOO_MUCH,
    /// Our own code broke on a text; the rest of the summary is described.
    BROKEN;

    /// As a metric's label.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
