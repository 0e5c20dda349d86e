package dev.counterpoint.audit.staff;

import dev.counterpoint.audit.ledger.Status;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.vault.Subject;
import dev.counterpoint.servicekit.ProblemException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which records staff looks for; all members are optional. In a body, because a subject is personal data and URLs are
/// written down in many places.
///
/// @param subject the end user as requests name it; needs `tenant`
/// @param key id of an API key
/// @param from accepted at this time or later
/// @param to accepted before this time
/// @param limit records on a page
/// @param after `next` of the page before
record SearchRequest(
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String key,
        @Nullable String model,
        @Nullable String response,
        @Nullable String status,
        @Nullable String from,
        @Nullable String to,
        @Nullable Integer limit,
        @Nullable String after) {
    /// Checks every member.
    void check() {
        Check.optional("tenant", tenant);
        Check.optional("subject", subject);
        Check.optional("key", key);
        Check.optional("model", model);
        Check.response(response);
        Check.time("from", from);
        Check.time("to", to);
        Check.limit(limit);
        Check.cursor(after);
        if (subject != null && tenant == null) {
            throw new ProblemException(AuditProblem.missing("tenant", "required with 'subject'"));
        }
        if (status != null && Status.ofWireName(status).isEmpty()) {
            var names = Stream.of(Status.values()).map(Status::wireName).collect(Collectors.joining(", "));
            throw new ProblemException(AuditProblem.invalid("status", "one of " + names));
        }
    }

    Optional<Subject> whom() {
        return Optional.ofNullable(subject).map(Subject.EndUser::new);
    }

    /// What was asked, without the subject's name.
    String detail() {
        return Stream.of(
                        given("key", key),
                        given("model", model),
                        given("status", status),
                        given("from", from),
                        given("to", to))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
    }

    private static Optional<String> given(String name, @Nullable String value) {
        return Optional.ofNullable(value).map(text -> name + "=" + text);
    }

    /// Names no person.
    @Override
    public String toString() {
        return "SearchRequest[tenant=%s, %s]".formatted(tenant, detail());
    }
}
