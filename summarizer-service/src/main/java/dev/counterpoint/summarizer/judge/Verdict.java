package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.summarise.SummaryPart;

/// The decision on a written part.
public sealed interface Verdict {
    /// It may be shown.
    record Shown(SummaryPart part) implements Verdict {
        @Override
        public String toString() {
            return "Shown";
        }
    }

    /// It is replaced by a described part.
    ///
    /// @param by the first filter that it did not pass
    record Refused(Filter by) implements Verdict {}
}
