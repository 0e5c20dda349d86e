package dev.counterpoint.servicekit;

import io.quarkus.arc.properties.IfBuildProperty;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets open requests finish on shutdown and accepts no new ones meanwhile. For services that set
/// `quarkus.shutdown.delay-enabled`.
///
/// It acts at the framework's first word of a stop, which that setting brings: before the next,
/// [io.quarkus.runtime.ShutdownEvent], the server and all its connections are closed. The framework's own way to wait,
/// `quarkus.shutdown.timeout`, waits the whole time in this version even when nothing is open.
@ApplicationScoped
@IfBuildProperty(name = Drain.ENABLED, stringValue = "true")
class Drain {
    static final String ENABLED = "quarkus.shutdown.delay-enabled";
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    /// Filters of a higher priority run earlier. What names a request stands at 10000, so that a refusal has its name;
    /// everything else comes after the drain.
    private static final int FILTER_PRIORITY = 9_000;

    private static final String OPERATORS = "/q/";

    private final DrainSettings settings;
    private int open;
    private boolean announced;
    private boolean closed;

    Drain(DrainSettings settings) {
        this.settings = settings;
    }

    void register(@Observes Filters filters) {
        filters.register(this::count, FILTER_PRIORITY);
    }

    void stop(@Observes ShutdownDelayInitiatedEvent stop) throws InterruptedException {
        int left = close();
        if (left > 0) {
            LOG.warn("requests={} cut off by the stop", left);
        }
    }

    void count(RoutingContext http) {
        if (http.normalizedPath().startsWith(OPERATORS)) {
            // Health and metrics stay available until the end.
            http.next();
        } else if (enter()) {
            RequestEnd.listen(http, _ -> leave());
            sendElsewhere(http);
            http.next();
        } else {
            sendElsewhere(http);
            settings.refusal().write(http);
        }
    }

    /// After the answer the client opens another connection for its next request, and a balancer can send that
    /// elsewhere. HTTP/2 says GOAWAY, and closes once all of its answers have ended (RFC 9113, 6.8). HTTP/1.1 says
    /// so in the answer's head (RFC 9112, 9.6): where that went out before the stop the connection stays, because
    /// the next request may be on its way, and would be lost.
    private void sendElsewhere(RoutingContext http) {
        var connection = http.request().connection();
        if (http.request().version() == HttpVersion.HTTP_2) {
            http.addEndHandler(_ ->
                    unlessOpened(() -> connection.shutdown(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)));
        } else {
            http.addHeadersEndHandler(_ -> unlessOpened(() -> {
                http.response().putHeader("Connection", "close");
                http.addEndHandler(_ -> connection.close());
            }));
        }
    }

    private void unlessOpened(Runnable action) {
        if (!opened()) {
            action.run();
        }
    }

    /// Whether new requests should be sent here.
    synchronized boolean opened() {
        return !announced;
    }

    /// @return false when no request is taken any more
    synchronized boolean enter() {
        if (!closed) {
            open++;
        }
        return !closed;
    }

    synchronized void leave() {
        open--;
        notifyAll();
    }

    /// Says so, then takes no more requests and waits for the open ones.
    ///
    /// @return how many are still open after the timeout
    synchronized int close() throws InterruptedException {
        announced = true;
        awaitWhile(() -> true, settings.delay());
        closed = true;
        awaitWhile(() -> open > 0, settings.timeout());
        return open;
    }

    private synchronized void awaitWhile(BooleanSupplier condition, Duration max) throws InterruptedException {
        long until = System.nanoTime() + max.toNanos();
        for (long left = max.toNanos(); left > 0 && condition.getAsBoolean(); left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
