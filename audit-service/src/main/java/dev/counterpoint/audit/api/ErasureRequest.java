package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.ErasureStore;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The body of a request to erase a subject.
///
/// @param subject the end user as requests name it; or
/// @param subjectToken the subject as records show it; or
/// @param key the API key whose requests named no end user
record ErasureRequest(
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String subjectToken,
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
        var token = FieldValidation.token(subjectToken);
        var holder = FieldValidation.optional("key", key);
        if (Stream.of(user, token, holder).filter(Objects::nonNull).count() > 1) {
            var wrong = holder == null ? "subject_token" : "key";
            throw new ProblemException(AuditProblem.invalid(wrong, "absent when another name is given"));
        }
        if (token != null) {
            return new DataSubject.Stored(token);
        }
        return holder == null
                ? new DataSubject.EndUser(FieldValidation.required("subject", user))
                : new DataSubject.KeyHolder(holder);
    }

    /// Names no person.
    @Override
    public String toString() {
        return "ErasureRequest[tenant=%s, caseId=%s]".formatted(tenant, caseId);
    }
}
