package dev.counterpoint.audit.api;

import org.jspecify.annotations.Nullable;

/// The body of a decision.
///
/// @param reason in the words of who decides; required to approve
record DecisionReason(@Nullable String reason) {}
