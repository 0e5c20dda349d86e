package dev.counterpoint.worker.take;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/// WorkerLiveness until the engine is broken for good.
@Liveness
@ApplicationScoped
public class WorkerLiveness implements HealthCheck {
    private final Worker worker;

    @Inject
    WorkerLiveness(Worker worker) {
        this.worker = worker;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("engine works")
                .status(!worker.engineFailed())
                .build();
    }
}
