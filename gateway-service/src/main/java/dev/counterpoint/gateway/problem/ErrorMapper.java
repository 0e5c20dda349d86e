package dev.counterpoint.gateway.problem;

import dev.counterpoint.servicekit.HttpProblem;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// The one place where something thrown by a resource becomes an answer.
final class ErrorMapper {
    private final AllowedMethods allowedMethods;
    private final Failures failures;

    @Inject
    ErrorMapper(AllowedMethods allowedMethods, Failures failures) {
        this.allowedMethods = allowedMethods;
        this.failures = failures;
    }

    /// The framework brings mappers for the listed types, and the nearest type wins.
    @ServerExceptionMapper({
        Throwable.class,
        WebApplicationException.class,
        NotFoundException.class,
        ValidationException.class,
        com.fasterxml.jackson.databind.exc.MismatchedInputException.class
    })
    public Response map(Throwable thrown, RoutingContext http) {
        return problem(thrown, http).toResponse();
    }

    private HttpProblem problem(Throwable thrown, RoutingContext http) {
        if (thrown instanceof WebApplicationException standard) {
            int status = standard.getResponse().getStatus();
            var method = http.request().method().name();
            if (status == 404) {
                return Problem.unknownUrl(method, http.normalizedPath());
            }
            if (status == 405) {
                return Problem.methodNotAllowed(method, allowedMethods.of(http.normalizedPath()));
            }
        }
        return failures.problem(thrown, http);
    }
}
