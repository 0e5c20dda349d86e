package dev.counterpoint.audit.staff;

import org.jspecify.annotations.Nullable;

/// Why somebody wants to read a record; both members are required.
record Justification(@Nullable String caseId, @Nullable String reason) {
    void check() {
        Check.caseId(caseId);
        Check.reason(reason);
    }
}
