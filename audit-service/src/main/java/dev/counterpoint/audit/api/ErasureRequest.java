package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.servicekit.ProblemException;
import org.jspecify.annotations.Nullable;

/// The body of a request to erase a subject.
///
/// @param subject the end user as requests name it; or
/// @param key the API key whose requests named no end user
record ErasureRequest(
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String key,
        @Nullable String caseId,
        @Nullable String reason) {
    /// @throws ProblemException when a member is missing or breaks its rule
    ErasureStore.Order order(String actor) {
        var checkedTenant = FieldValidation.required("tenant", tenant);
        var why = Justification.of(caseId, reason);
        return new ErasureStore.Order(actor, why.caseId(), why.reason(), checkedTenant, whom());
    }

    private DataSubject whom() {
        var user = FieldValidation.optional("subject", subject);
        var holder = FieldValidation.optional("key", key);
        if (holder == null) {
            return new DataSubject.EndUser(FieldValidation.required("subject", user));
        }
        if (user != null) {
            throw new ProblemException(AuditProblem.invalid("key", "absent when 'subject' is given"));
        }
        return new DataSubject.KeyHolder(holder);
    }

    /// Names no person.
    @Override
    public String toString() {
        return "ErasureRequest[tenant=%s, caseId=%s]".formatted(tenant, caseId);
    }
}
