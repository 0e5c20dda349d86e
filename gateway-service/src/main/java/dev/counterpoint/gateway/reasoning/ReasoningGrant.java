package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.gateway.access.ReasoningMode;

/// What of the reasoning a request gets.
///
/// @param raw the chain of thought as it is
/// @param summary the safe summary of it
public record ReasoningGrant(boolean raw, boolean summary) {
    static ReasoningGrant of(ReasoningMode mode) {
        return switch (mode) {
            case NONE -> new ReasoningGrant(false, false);
            case SUMMARY -> new ReasoningGrant(false, true);
            case FULL -> new ReasoningGrant(true, false);
        };
    }
}
