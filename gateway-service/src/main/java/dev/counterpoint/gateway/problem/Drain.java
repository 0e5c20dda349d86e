package dev.counterpoint.gateway.problem;

import dev.counterpoint.gateway.GatewayConfig;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/// Lets the requests that are open at a stop come to their end, and takes no new ones meanwhile.
///
/// It does so at the framework's first word of a stop, which `quarkus.shutdown.delay-enabled` brings: before the next,
/// [io.quarkus.runtime.ShutdownEvent], the server and all its connections are closed. The framework's own way to wait,
/// `quarkus.shutdown.timeout`, waits the whole time in this version even when nothing is open.
@ApplicationScoped
class Drain {
    private static final Logger LOG = Logger.getLogger(Drain.class);
    private static final int RIGHT_AFTER_THE_NAME = 9_000;
    private static final long RETRY_AFTER_SECONDS = 1;
    private static final String OPERATORS = "/q/";

    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int open;
    private boolean closed;

    @Inject
    Drain(GatewayConfig config) {
        this(config.drainTimeout());
    }

    Drain(Duration patience) {
        this.patience = patience;
    }

    void register(@Observes Filters filters) {
        filters.register(this::count, RIGHT_AFTER_THE_NAME);
    }

    void stop(@Observes ShutdownDelayInitiatedEvent stop) throws InterruptedException {
        int left = close();
        if (left > 0) {
            LOG.warnf("requests=%d cut off by the stop", left);
        }
    }

    private void count(RoutingContext http) {
        if (http.normalizedPath().startsWith(OPERATORS)) {
            // Whether this replica lives, and what it does, can be asked until the end.
            http.next();
            return;
        }
        if (enter()) {
            http.addEndHandler(_ -> leave());
            http.next();
            return;
        }
        http.response().putHeader("Connection", "close");
        UnroutedRequests.write(http, Problem.unavailable("This replica is stopping; try again.", RETRY_AFTER_SECONDS));
    }

    /// Whether requests are taken.
    boolean opened() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /// @return false when no request is taken any more
    boolean enter() {
        lock.lock();
        try {
            if (!closed) {
                open++;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            open--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Takes no more requests and waits for the open ones.
    ///
    /// @return how many are still open after all patience
    int close() throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            long nanos = TimeUnit.MILLISECONDS.toNanos(patience.toMillis());
            while (open > 0 && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return open;
        } finally {
            lock.unlock();
        }
    }
}
