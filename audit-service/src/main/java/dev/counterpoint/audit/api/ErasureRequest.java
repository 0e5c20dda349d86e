package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.Problem;
import dev.counterpoint.audit.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/// Whom to erase, and why.
///
/// @param subject the end user as requests name it; or
/// @param key the API key whose requests named no end user
record ErasureRequest(
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String key,
        @Nullable String caseId,
        @Nullable String reason) {
    DataSubject whom() {
        var user = FieldValidation.optional("subject", subject);
        var holder = FieldValidation.optional("key", key);
        if (user != null && holder != null) {
            throw new ProblemException(Problem.invalid("key", "absent when 'subject' is given"));
        }
        return holder != null
                ? new DataSubject.KeyHolder(holder)
                : new DataSubject.EndUser(FieldValidation.required("subject", user));
    }

    /// Names no person.
    @Override
    public String toString() {
        return "ErasureRequest[tenant=%s, caseId=%s]".formatted(tenant, caseId);
    }
}
