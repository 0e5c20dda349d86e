package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.servicekit.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/// The query parameters of a search in the access log.
public class AccessLogParameters {
    static final Set<String> NAMES =
            Set.of("actor", "action", "outcome", "tenant", "response", "case_id", "from", "to", "limit", "after");
    private static final List<String> ACTIONS = Stream.of(StaffAccess.Action.values())
            .map(StaffAccess.Action::wireName)
            .toList();
    private static final List<String> OUTCOMES = Stream.of(StaffAccess.Outcome.values())
            .map(StaffAccess.Outcome::wireName)
            .toList();

    @RestQuery
    @Nullable
    String actor;

    @RestQuery
    @Nullable
    String action;

    @RestQuery
    @Nullable
    String outcome;

    @RestQuery
    @Nullable
    String tenant;

    @RestQuery
    @Nullable
    String response;

    @RestQuery("case_id")
    @Nullable
    String caseId;

    @RestQuery
    @Nullable
    String from;

    @RestQuery
    @Nullable
    String to;

    @RestQuery
    @Nullable
    String limit;

    @RestQuery
    @Nullable
    String after;

    /// @throws dev.counterpoint.servicekit.ProblemException for a parameter of another name
    public static AccessLogParameters of(Map<String, String> given) {
        var parameters = new AccessLogParameters();
        given.forEach((name, value) -> {
            switch (name) {
                case "actor" -> parameters.actor = value;
                case "action" -> parameters.action = value;
                case "outcome" -> parameters.outcome = value;
                case "tenant" -> parameters.tenant = value;
                case "response" -> parameters.response = value;
                case "case_id" -> parameters.caseId = value;
                case "from" -> parameters.from = value;
                case "to" -> parameters.to = value;
                case "limit" -> parameters.limit = value;
                case "after" -> parameters.after = value;
                default -> throw new ProblemException(AuditProblem.unknownField(name));
            }
        });
        return parameters;
    }

    int size() {
        return FieldValidation.limit(limit);
    }

    /// @throws dev.counterpoint.servicekit.ProblemException when a parameter breaks its rule
    WhereClause where() {
        return new WhereClause()
                .equal("actor", FieldValidation.optional("actor", actor))
                .equal("action", FieldValidation.oneOf("action", action, ACTIONS.stream()))
                .equal("outcome", FieldValidation.oneOf("outcome", outcome, OUTCOMES.stream()))
                .equal("tenant", FieldValidation.optional("tenant", tenant))
                .equal("response", FieldValidation.response(response))
                // One for each response, and no access.
                .is("action = 'response_closed'", action == null && response == null ? false : null)
                .equal("caseId", FieldValidation.optional("case_id", caseId))
                .atLeast("at", FieldValidation.time("from", from))
                .below("at", FieldValidation.time("to", to))
                .below("seq", ResultPage.position(after));
    }

    /// The given parameters.
    String detail() {
        return new SearchDetail()
                .field("actor", actor)
                .field("action", action)
                .field("outcome", outcome)
                .field("tenant", tenant)
                .field("response", response)
                .field("case_id", caseId)
                .field("from", from)
                .field("to", to)
                .toString();
    }
}
