package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.records.RecordStatus;
import dev.counterpoint.audit.requests.RecordFilter;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.servicekit.ProblemException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The body of a search for records; all members are optional. A search has a body because a subject is personal
/// data, and URLs are written down in many places.
///
/// @param subject the end user as requests name it; needs `tenant`
/// @param subjectToken the subject as records show it, in place of `subject`; needs `tenant`
/// @param key id of an API key
/// @param flagged whether something marks the response for review
/// @param from accepted at this time or later
/// @param to accepted before this time
/// @param limit records on a page
/// @param after `next` of the page before
public record RecordSearchRequest(
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String subjectToken,
        @Nullable String key,
        @Nullable String model,
        @Nullable String response,
        @Nullable String status,
        @Nullable Boolean flagged,
        @Nullable String from,
        @Nullable String to,
        @Nullable Integer limit,
        @Nullable String after) {
    /// The conditions of the search without the subject, because records hold only its token.
    ///
    /// @throws ProblemException when a member breaks its rule
    WhereClause where() {
        FieldValidation.optional("tenant", tenant);
        var where = filter().where().equal("tenant", tenant);
        size();
        where.below("seq", ResultPage.position(after));
        if (whom() != null && tenant == null) {
            throw new ProblemException(AuditProblem.missing("tenant", "required with 'subject'"));
        }
        return where;
    }

    /// The filter of an action in one tenant, which the action names.
    ///
    /// @throws ProblemException when a member breaks its rule, or has no place there
    RecordFilter alone() {
        if (tenant != null || limit != null || after != null) {
            var wrong = tenant != null ? "tenant" : limit != null ? "limit" : "after";
            throw new ProblemException(AuditProblem.invalid(wrong, "absent in 'filter'"));
        }
        return filter();
    }

    private RecordFilter filter() {
        FieldValidation.optional("subject", subject);
        var since = FieldValidation.time("from", from);
        var until = FieldValidation.time("to", to);
        var statuses = Stream.of(RecordStatus.values()).map(RecordStatus::wireName);
        return new RecordFilter(
                whom() != null,
                FieldValidation.optional("key", key),
                FieldValidation.optional("model", model),
                responseId(),
                FieldValidation.oneOf("status", status, statuses),
                flagged,
                since == null ? null : since.toString(),
                until == null ? null : until.toString());
    }

    int size() {
        return FieldValidation.limit(limit);
    }

    @Nullable
    String responseId() {
        return FieldValidation.response(response);
    }

    @Nullable
    DataSubject whom() {
        if (subject != null) {
            return new DataSubject.EndUser(subject);
        }
        var token = FieldValidation.token(subjectToken);
        return token == null ? null : new DataSubject.Stored(token);
    }

    /// The given members, without the subject's name.
    String detail() {
        return new SearchDetail()
                .field("key", key)
                .field("model", model)
                .field("status", status)
                .field("flagged", flagged == null ? null : flagged.toString())
                .field("from", from)
                .field("to", to)
                .toString();
    }

    /// Names no person.
    @Override
    public String toString() {
        return "RecordSearchRequest[tenant=%s, %s]".formatted(tenant, detail());
    }
}
