package dev.counterpoint.gateway.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.OutageClassifier;
import dev.counterpoint.servicekit.OutageException;
import dev.counterpoint.servicekit.ProblemException;
import dev.counterpoint.servicekit.UnstorableText;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import java.util.List;
import java.util.Optional;

/// What a client is told of anything that was thrown. Of what is not listed here it is told nothing.
final class Problems {
    static final OutageClassifier OUTAGES = OutageClassifier.DATABASE;

    private Problems() {}

    /// Empty for a bug or a fault of ours.
    static Optional<HttpProblem> of(Throwable thrown) {
        return switch (thrown) {
            case ProblemException refusal -> Optional.of(refusal.problem());
            case WireException wrong ->
                Optional.of(Problem.invalidRequest(wrong.param(), wrong.code(), wrong.message()));
            case OutageException away -> Optional.of(unavailable());
            case JsonProcessingException wrong -> Optional.of(notJson(wrong));
            case ConstraintViolationException wrong -> Optional.of(violation(wrong));
            // The framework wraps what a stream threw before its first byte.
            case WebApplicationException wrapper
            when wrapper.getCause() != null && isFault(wrapper) -> of(wrapper.getCause());
            case WebApplicationException wrong -> ofStatus(wrong.getResponse().getStatus());
            default -> ofDatabase(thrown);
        };
    }

    private static Optional<HttpProblem> ofDatabase(Throwable thrown) {
        if (OUTAGES.isOutage(thrown)) {
            return Optional.of(unavailable());
        }
        return UnstorableText.isBehind(thrown)
                ? Optional.of(Problem.invalidRequest(null, UnstorableText.MESSAGE))
                : Optional.empty();
    }

    private static boolean isFault(WebApplicationException thrown) {
        return thrown.getResponse().getStatus() == 500;
    }

    /// What the framework means by a status of its own accord; empty when it means a fault.
    static Optional<HttpProblem> ofStatus(int status) {
        return switch (status) {
            case 405 -> Optional.of(Problem.methodNotAllowed("do this", List.of()));
            case 406 -> Optional.of(Problem.notAcceptable());
            case 415 -> Optional.of(Problem.unsupportedMediaType());
            case 503 -> Optional.of(unavailable());
            default ->
                status >= 400 && status < 500
                        ? Optional.of(new Problem(
                                status,
                                "invalid_request_error",
                                null,
                                null,
                                "The request could not be read.",
                                java.util.Map.of()))
                        : Optional.empty();
        };
    }

    private static Problem unavailable() {
        return Problem.unavailable("The service is not available for the moment; try again shortly.");
    }

    /// Jackson's own message quotes the body, so only the place is told.
    private static Problem notJson(JsonProcessingException wrong) {
        var place = wrong.getLocation();
        var where = place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
        return Problem.invalidRequest(null, "We could not parse the JSON body of your request" + where + ".");
    }

    private static Problem violation(ConstraintViolationException wrong) {
        return wrong.getConstraintViolations().stream()
                .findFirst()
                .map(violation ->
                        Problem.invalidRequest(violation.getPropertyPath().toString(), violation.getMessage()))
                .orElseGet(() -> Problem.invalidRequest(null, "The request breaks a rule."));
    }
}
