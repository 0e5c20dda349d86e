package dev.counterpoint.servicekit;

import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Not ready from the moment on that this replica is told to stop. The framework has a check of its own for that, but
/// does not say whether it turns before the drain or after it.
@Readiness
@ApplicationScoped
@IfBuildProperty(name = Drain.ENABLED, stringValue = "true")
public class DrainReadiness implements HealthCheck {
    private final Drain drain;

    DrainReadiness(Drain drain) {
        this.drain = drain;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("takes requests")
                .status(drain.opened())
                .build();
    }
}
