package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.HoldStore;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The body of a hold: what it keeps in a tenant, and why. It keeps one of: a subject, a conversation, a response,
/// and the responses that were accepted from one time to another.
public record NewHold(
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String subjectToken,
        @Nullable String key,
        @Nullable String conversation,
        @Nullable String response,
        @Nullable String from,
        @Nullable String to,
        @Nullable String caseId,
        @Nullable String reason) {
    Justification justification() {
        return Justification.of(caseId, reason);
    }

    /// @throws ProblemException when a member breaks its rule, or not exactly one thing is kept
    HoldStore.Scope scope() {
        var checkedTenant = FieldValidation.required("tenant", tenant);
        var talk = FieldValidation.optional("conversation", conversation);
        var one = FieldValidation.response(response);
        var begin = FieldValidation.time("from", from);
        var end = FieldValidation.time("to", to);
        boolean person = person();
        var kept = Stream.of(person ? "subject" : null, talk, one, begin == null && end == null ? null : "time")
                .filter(Objects::nonNull)
                .count();
        if (kept != 1) {
            throw new ProblemException(AuditProblem.invalid(
                    "subject", "exactly one of subject, subject_token or key; conversation; response; from with to"));
        }
        if (begin != null || end != null) {
            if (begin == null || end == null || !begin.isBefore(end)) {
                throw new ProblemException(AuditProblem.invalid("to", "a time after 'from', both given"));
            }
        }
        return new HoldStore.Scope(checkedTenant, null, talk, one, begin, end);
    }

    boolean person() {
        return subject != null || subjectToken != null || key != null;
    }

    DataSubject whom() {
        return FieldValidation.person(subject, subjectToken, key);
    }

    /// Names no person.
    @Override
    public String toString() {
        return "NewHold[tenant=%s, caseId=%s]".formatted(tenant, caseId);
    }
}
