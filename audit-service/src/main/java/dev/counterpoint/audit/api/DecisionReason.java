package dev.counterpoint.audit.api;

import org.jspecify.annotations.Nullable;

/// The body of a decision.
///
/// @param reason in the words of who decides; required to approve
/// @param overrideRetention whether an erasure may take records before the minimum of their class
public record DecisionReason(
        @Nullable String reason, @Nullable Boolean overrideRetention) {}
