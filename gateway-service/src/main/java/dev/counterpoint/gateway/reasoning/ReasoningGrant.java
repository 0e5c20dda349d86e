package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.fleet.ModelAvailability;
import org.jspecify.annotations.Nullable;

/// The reasoning that a request gets.
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

    /// The bound of the reasoning in tokens. A model that has to be asked to show its reasoning is
    /// not asked when nobody gets to see it.
    ///
    /// @param kept whether it is kept for compliance staff
    /// @param asked the request's bound, or null for none
    public @Nullable Integer tokensMax(Heartbeat.Model model, boolean kept, @Nullable Integer asked) {
        boolean seen = raw || summary != null || kept;
        return seen || !ModelAvailability.takesMessages(model) ? asked : Integer.valueOf(0);
    }

    public boolean summaryDue() {
        return summary != null;
    }
}
