package dev.counterpoint.audit.api;

import org.jspecify.annotations.Nullable;

/// The case and the reason for which somebody reads or erases; both keep their rules.
record Justification(String caseId, String reason) {
    /// @throws dev.counterpoint.servicekit.ProblemException when a member is missing or breaks its rule
    static Justification of(@Nullable String caseId, @Nullable String reason) {
        return new Justification(FieldValidation.caseId(caseId), FieldValidation.reason(reason));
    }
}
