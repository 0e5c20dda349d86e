package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.http.RequestId;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.OutageLog;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one place where something thrown by a resource becomes an answer.
@Singleton
public final class ErrorMapper {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMapper.class);

    private final AllowedMethods allowedMethods;
    private final OutageLog outages = new OutageLog();

    @Inject
    ErrorMapper(AllowedMethods allowedMethods) {
        this.allowedMethods = allowedMethods;
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

    /// The answer to a client. Logs a fault of the gateway.
    public HttpProblem problem(Throwable thrown, RoutingContext http) {
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
        if (Problems.OUTAGES.isOutage(thrown)) {
            outages.tell(thrown);
        }
        return Problems.of(thrown).orElseGet(() -> {
            if (!(thrown instanceof IOException && http.response().closed())) { // a client that left is no fault
                log(thrown, http);
            }
            return Problem.serverError();
        });
    }

    /// The stack tells where; the message might quote what the client sent, so it stays out.
    private static void log(Throwable thrown, RoutingContext http) {
        LOG.error(
                "requestId={} method={} path={} error={}\n{}",
                RequestId.of(http),
                http.request().method(),
                http.normalizedPath(),
                thrown.getClass().getName(),
                SafeStackTrace.of(thrown));
    }
}
