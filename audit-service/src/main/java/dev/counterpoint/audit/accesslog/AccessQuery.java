package dev.counterpoint.audit.accesslog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Which entries are wanted; null asks for nothing in particular.
///
/// @param from written at this time or later
/// @param to written before this time
/// @param before only entries written before the one of this number, for the next page
/// @param atMost how many
public record AccessQuery(
        @Nullable String actor,
        @Nullable String action,
        @Nullable String outcome,
        @Nullable String tenant,
        @Nullable String response,
        @Nullable String caseId,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Long before,
        int atMost) {}
