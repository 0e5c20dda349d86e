package dev.counterpoint.audit.api;

import org.jspecify.annotations.Nullable;

/// Why somebody wants to read a record; both members are required.
record Justification(@Nullable String caseId, @Nullable String reason) {
    void check() {
        FieldValidation.caseId(caseId);
        FieldValidation.reason(reason);
    }
}
