package dev.counterpoint.worker.job;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once jobs are taken.
@Readiness
@ApplicationScoped
public class WorkerReadiness implements HealthCheck {
    private final Worker worker;

    @Inject
    WorkerReadiness(Worker worker) {
        this.worker = worker;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("takes jobs").status(worker.ready()).build();
    }
}
