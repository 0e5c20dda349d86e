package dev.counterpoint.audit.keys;

import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wraps all keys of older root keys with the current one, once after each start, in the background. Health and metrics
/// name the versions still in use. Each batch is its own transaction, so the next pass continues an interrupted one. A
/// replica that was not restarted yet still wraps with an older version, so the last one to start finishes the
/// work. Thread-safe.
@Wellness
@ApplicationScoped
class RootRewrap implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(RootRewrap.class);
    private static final int BATCH = 1_000;
    private static final int BATCHES_BETWEEN_LOOKS = 10;

    private final KeyService root;
    private final List<RootWrapped> wrapped;
    private final TransactionRole role;
    private volatile boolean done;
    private volatile Map<String, Long> versions = Map.of();

    RootRewrap(KeyService root, @All List<RootWrapped> wrapped, TransactionRole role, MeterRegistry metrics) {
        this.root = root;
        this.wrapped = wrapped;
        this.role = role;
        metrics.gauge("counterpoint.audit.root.older", this, RootRewrap::older);
    }

    @Scheduled(
            every = "60s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    void run() {
        try {
            look();
            if (!done) {
                wrapAnew();
                done = true;
            }
        } catch (RuntimeException e) {
            LOG.warn("keys are wrapped anew later cause={}", SafeStackTrace.name(e));
        }
    }

    /// One pass over all keys.
    void wrapAnew() {
        double before = older();
        wrapped.forEach(this::wrapAnew);
        look();
        if (before > 0) {
            LOG.info(
                    "keys are wrapped anew by={} were={} left={}",
                    root.describe().current(),
                    (long) before,
                    (long) older());
        }
    }

    private void wrapAnew(RootWrapped some) {
        var after = "";
        for (int batch = 1; ; batch++) {
            var last = after;
            var next = QuarkusTransaction.requiringNew().call(() -> {
                role.rewrapping();
                return some.wrapAnew(last, BATCH);
            });
            if (next.isEmpty()) {
                return;
            }
            after = next.get();
            if (batch % BATCHES_BETWEEN_LOOKS == 0) {
                look();
            }
        }
    }

    private void look() {
        versions = QuarkusTransaction.requiringNew().call(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            var found = new TreeMap<String, Long>();
            wrapped.forEach(some -> some.versions().forEach((header, keys) -> found.merge(header, keys, Long::sum)));
            return found;
        });
    }

    private double older() {
        var current = root.describe().current().header();
        return versions.entrySet().stream()
                .filter(version -> !version.getKey().equals(current))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /// Down when a version is in use that is not here.
    @Override
    public HealthCheckResponse call() {
        var keys = root.describe();
        var unknown = new TreeMap<>(versions);
        var answer = HealthCheckResponse.named("root keys")
                .withData("wraps with", keys.current().name());
        for (var version : keys.readable()) {
            answer.withData("wrapped by " + version, Objects.requireNonNullElse(unknown.remove(version.header()), 0L));
        }
        unknown.forEach((header, count) -> answer.withData("wrapped by a missing one, " + header, count));
        return answer.status(unknown.isEmpty()).build();
    }
}
