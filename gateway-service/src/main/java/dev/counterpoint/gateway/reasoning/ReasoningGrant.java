package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.access.ReasoningMode;
import org.jspecify.annotations.Nullable;

/// What of the reasoning a request gets.
///
/// @param raw the chain of thought as it is
/// @param summary how detailed the safe summary of it is, or null for none
public record ReasoningGrant(boolean raw, SummaryJob.@Nullable Detail summary) {
    static ReasoningGrant of(ReasoningMode mode, SummaryJob.Detail detail) {
        return switch (mode) {
            case NONE -> new ReasoningGrant(false, null);
            case SUMMARY -> new ReasoningGrant(false, detail);
            case FULL -> new ReasoningGrant(true, null);
        };
    }

    public boolean summaryDue() {
        return summary != null;
    }
}
