package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.vault.Subject;
import dev.counterpoint.servicekit.ProblemException;
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
    Subject whom() {
        var user = Check.optional("subject", subject);
        var holder = Check.optional("key", key);
        if (user != null && holder != null) {
            throw new ProblemException(AuditProblem.invalid("key", "absent when 'subject' is given"));
        }
        return holder != null ? new Subject.KeyHolder(holder) : new Subject.EndUser(Check.required("subject", user));
    }

    /// Names no person.
    @Override
    public String toString() {
        return "ErasureRequest[tenant=%s, caseId=%s]".formatted(tenant, caseId);
    }
}
