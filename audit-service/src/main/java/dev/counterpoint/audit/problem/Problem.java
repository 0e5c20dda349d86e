package dev.counterpoint.audit.problem;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a caller is told when it does not get what it asked for. All errors have this one shape:
/// `{"error": {"code", "message", "field", "rule"}}`.
///
/// @param status 400 to 599
/// @param code the kind of mistake, for programs
/// @param message for people; never holds content, a subject or a key
/// @param field the request's member at fault, or null
/// @param rule what it has to be, or null
/// @param headers what goes beside the body, such as `Retry-After`
public record Problem(
        int status,
        String code,
        String message,
        @Nullable String field,
        @Nullable String rule,
        Map<String, String> headers) {
    private static final long RETRY_AFTER_SECONDS = 2;

    public Problem {
        headers = Map.copyOf(headers);
    }

    /// The answer's body.
    public record Body(Detail error) {}

    /// The members of an error.
    public record Detail(
            String code,
            String message,
            @Nullable String field,
            @Nullable String rule) {}

    public static Problem missing(String field, String rule) {
        return new Problem(400, "missing_field", "'" + field + "' is missing.", field, rule, Map.of());
    }

    public static Problem invalid(String field, String rule) {
        return new Problem(400, "invalid_field", "'" + field + "' is not valid.", field, rule, Map.of());
    }

    public static Problem unknownField(String field) {
        return new Problem(400, "unknown_field", "There is no field '" + field + "'.", field, null, Map.of());
    }

    public static Problem notJson() {
        return new Problem(400, "invalid_json", "The body is not a JSON object.", null, null, Map.of());
    }

    public static Problem unauthenticated() {
        return new Problem(
                401,
                "invalid_token",
                "Send a valid token of this service as 'Authorization: Bearer …'.",
                null,
                null,
                Map.of("WWW-Authenticate", "Bearer"));
    }

    public static Problem forbidden() {
        return new Problem(403, "missing_role", "The token has no role that allows this.", null, null, Map.of());
    }

    public static Problem notFound(String what) {
        return new Problem(404, "not_found", what + " does not exist.", null, null, Map.of());
    }

    public static Problem erased() {
        return new Problem(
                410, "erased", "The subject of this record was erased; nobody can read it.", null, null, Map.of());
    }

    public static Problem altered() {
        return new Problem(
                500,
                "altered",
                "The record, or a key, is not as it was written; nothing of it is shown.",
                null,
                null,
                Map.of());
    }

    /// Something that the answer needs is away. Nothing was shown.
    public static Problem unavailable() {
        return new Problem(
                503,
                "unavailable",
                "The access cannot be written down for the moment, so nothing is shown; try again shortly.",
                null,
                null,
                Map.of("Retry-After", Long.toString(RETRY_AFTER_SECONDS)));
    }

    /// This replica ends; another one answers. Nothing was shown.
    public static Problem stopping() {
        return new Problem(
                503,
                "unavailable",
                "This replica is stopping; try again.",
                null,
                null,
                Map.of("Retry-After", Long.toString(RETRY_AFTER_SECONDS)));
    }

    /// A fault of ours; says nothing of it, because what failed may hold what must not leave.
    public static Problem serverError() {
        return new Problem(500, "server_error", "The service had an error.", null, null, Map.of());
    }

    /// A status that the framework decided.
    public static Problem ofStatus(int status) {
        return new Problem(status, "refused", "The request cannot be served like this.", null, null, Map.of());
    }

    public Body body() {
        return new Body(new Detail(code, message, field, rule));
    }
}
