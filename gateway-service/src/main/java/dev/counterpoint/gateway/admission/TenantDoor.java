package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Bounds how many requests of one tenant begin at once, because each beginning holds a database connection. So a burst
/// of one tenant leaves connections to all others. Thread-safe.
@ApplicationScoped
public class TenantDoor {
    /// The share of the connections that one tenant's beginning requests may hold.
    private static final int SHARE = 4;

    private static final Duration WAIT_MAX = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final int atOnce;
    private final Map<String, Semaphore> doors = new ConcurrentHashMap<>();

    public TenantDoor(@ConfigProperty(name = "quarkus.datasource.jdbc.max-size") int connections) {
        atOnce = Math.max(1, connections / SHARE);
    }

    /// The part of a request until its job is on its way.
    ///
    /// @param <T> what it makes
    @FunctionalInterface
    public interface Beginning<T> {
        T begin() throws InterruptedException;
    }

    /// Runs a request's beginning in the order of its tenant's requests.
    ///
    /// @throws ProblemException 429 when it must wait for more than ten seconds
    public <T> T through(String tenant, Beginning<T> request) throws InterruptedException {
        var door = doors.computeIfAbsent(tenant, _ -> new Semaphore(atOnce, true));
        if (!door.tryAcquire(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new ProblemException(
                    Problem.rateLimited("Too many of your requests begin at once; try again shortly.", RETRY_AFTER));
        }
        try {
            return request.begin();
        } finally {
            door.release();
        }
    }
}
