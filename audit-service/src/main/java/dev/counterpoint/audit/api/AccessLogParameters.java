package dev.counterpoint.audit.api;

import dev.counterpoint.audit.accesslog.AccessQuery;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/// Which entries of the access log an auditor looks for: the query parameters.
class AccessLogParameters {
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

    int size() {
        if (limit == null) {
            return FieldValidation.limit(null);
        }
        try {
            return FieldValidation.limit(Integer.valueOf(limit));
        } catch (NumberFormatException e) {
            return FieldValidation.limit(0);
        }
    }

    /// One entry more than the page has room for.
    AccessQuery query() {
        return new AccessQuery(
                FieldValidation.optional("actor", actor),
                FieldValidation.optional("action", action),
                FieldValidation.optional("outcome", outcome),
                FieldValidation.optional("tenant", tenant),
                FieldValidation.response(response),
                FieldValidation.optional("case_id", caseId),
                FieldValidation.time("from", from),
                FieldValidation.time("to", to),
                FieldValidation.cursor(after),
                size() + 1);
    }

    /// What was asked.
    String detail() {
        return Stream.of(
                        given("actor", actor),
                        given("action", action),
                        given("outcome", outcome),
                        given("tenant", tenant),
                        given("response", response),
                        given("case_id", caseId),
                        given("from", from),
                        given("to", to))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
    }

    private static Optional<String> given(String name, @Nullable String value) {
        return Optional.ofNullable(value).map(text -> name + "=" + text);
    }
}
