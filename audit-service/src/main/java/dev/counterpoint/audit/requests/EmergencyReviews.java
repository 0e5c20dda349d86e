package dev.counterpoint.audit.requests;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/// Tells health and metrics of emergencies that nobody else has looked at in time. Thread-safe.
@Wellness
@ApplicationScoped
class EmergencyReviews implements HealthCheck {
    private final ActionRequests requests;
    private final TransactionRole role;
    private final Duration patience;
    private volatile int overdue;

    EmergencyReviews(ActionRequests requests, TransactionRole role, AuditConfig config, MeterRegistry metrics) {
        this.requests = requests;
        this.role = role;
        patience = config.emergencyReview();
        Gauge.builder("counterpoint.audit.emergencies.overdue", () -> overdue)
                .description("Emergencies that no second person has looked at in time.")
                .register(metrics);
    }

    @Scheduled(
            every = "10s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    void look() {
        overdue = QuarkusTransaction.requiringNew().call(() -> {
            role.staff(TransactionRole.EVERY_TENANT);
            return requests.inReviewSince(RowTime.now().minus(patience)).size();
        });
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("reviews of emergencies")
                .withData("overdue", overdue)
                .status(overdue == 0)
                .build();
    }
}
