package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.Problem;
import dev.counterpoint.audit.problem.ProblemException;
import dev.counterpoint.audit.records.RecordStatus;
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
record RecordSearchRequest(
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
        FieldValidation.optional("tenant", tenant);
        FieldValidation.optional("subject", subject);
        FieldValidation.optional("key", key);
        FieldValidation.optional("model", model);
        FieldValidation.response(response);
        FieldValidation.time("from", from);
        FieldValidation.time("to", to);
        FieldValidation.limit(limit);
        FieldValidation.cursor(after);
        if (subject != null && tenant == null) {
            throw new ProblemException(Problem.missing("tenant", "required with 'subject'"));
        }
        if (status != null && RecordStatus.ofWireName(status).isEmpty()) {
            var names =
                    Stream.of(RecordStatus.values()).map(RecordStatus::wireName).collect(Collectors.joining(", "));
            throw new ProblemException(Problem.invalid("status", "one of " + names));
        }
    }

    Optional<DataSubject> whom() {
        return Optional.ofNullable(subject).map(DataSubject.EndUser::new);
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
