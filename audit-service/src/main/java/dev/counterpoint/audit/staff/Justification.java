package dev.counterpoint.audit.staff;

import org.jspecify.annotations.Nullable;

/// Why somebody wants to read a record.
record Justification(@Nullable String caseId, @Nullable String reason) {}
