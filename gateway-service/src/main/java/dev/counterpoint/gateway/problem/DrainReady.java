package dev.counterpoint.gateway.problem;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Not ready from the moment on that this replica is told to stop.
@Readiness
@ApplicationScoped
public class DrainReady implements HealthCheck {
    private final Drain drain;

    @Inject
    DrainReady(Drain drain) {
        this.drain = drain;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("takes requests")
                .status(drain.opened())
                .build();
    }
}
