package dev.counterpoint.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.problem.Problem;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Lets the requests that are open at a stop come to their end, and takes no new ones meanwhile: what was written down
/// as read is read. It does so at the framework's first word of a stop, which `quarkus.shutdown.delay-enabled` brings;
/// at the next the server and all its connections are closed.
@ApplicationScoped
class Drain {
    private static final Logger LOG = Logger.getLogger(Drain.class);
    private static final int FIRST = 10_000;
    /// More than connections fit into a process.
    private static final int PLACES = 1 << 20;

    private static final String OPERATORS = "/q/";

    private final Semaphore places = new Semaphore(PLACES);
    private final Duration patience;
    private final ObjectMapper json;
    private volatile boolean closed;

    @Inject
    Drain(AuditConfig config, ObjectMapper json) {
        this.patience = config.drainTimeout();
        this.json = json;
    }

    void register(@Observes Filters filters) {
        filters.register(this::count, FIRST);
    }

    void stop(@Observes ShutdownDelayInitiatedEvent stop) throws InterruptedException {
        closed = true;
        if (!places.tryAcquire(PLACES, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.warnf("requests=%d cut off by the stop", PLACES - places.availablePermits());
        }
    }

    /// Whether requests are taken.
    boolean opened() {
        return !closed;
    }

    private void count(RoutingContext http) {
        if (http.normalizedPath().startsWith(OPERATORS)) {
            http.next();
        } else if (enter()) {
            http.addEndHandler(_ -> places.release());
            http.next();
        } else {
            refuse(http);
        }
    }

    /// The place is taken first, so that a stop either sees it or is seen here.
    private boolean enter() {
        if (!places.tryAcquire()) {
            return false;
        }
        if (closed) {
            places.release();
            return false;
        }
        return true;
    }

    private void refuse(RoutingContext http) {
        var problem = Problem.stopping();
        var response = http.response().setStatusCode(problem.status()).putHeader("Connection", "close");
        problem.headers().forEach(response::putHeader);
        try {
            response.putHeader("Content-Type", "application/json")
                    .end(Buffer.buffer(json.writeValueAsBytes(problem.body())));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem can always be written", e);
        }
    }
}
