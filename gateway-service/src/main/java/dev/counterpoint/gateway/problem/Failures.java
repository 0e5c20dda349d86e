package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.http.RequestId;
import dev.counterpoint.servicekit.HttpProblem;
import dev.counterpoint.servicekit.OutageLog;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides what a client is told of something thrown, and logs what is a fault of ours. Thread-safe.
@ApplicationScoped
public class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final OutageLog outages = new OutageLog();

    public HttpProblem problem(Throwable thrown, RoutingContext http) {
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
