package dev.counterpoint.audit.api;

import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The body of a request that says which erasures a restore lost.
///
/// @param receipts ids of the erasures that were made again; empty when there were none
record LostErasuresRequest(
        @Nullable List<String> receipts,
        @Nullable String caseId,
        @Nullable String reason) {
    Justification justification() {
        return Justification.of(caseId, reason);
    }

    List<String> ids() {
        if (receipts == null) {
            throw new ProblemException(AuditProblem.missing("receipts", "a list of receipts' ids, empty for none"));
        }
        return receipts.stream()
                .map(id -> FieldValidation.required("receipts", id))
                .toList();
    }
}
