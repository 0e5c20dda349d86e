package dev.counterpoint.gateway.log;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once this gateway owns partitions and the bus hands its records back.
@Readiness
@ApplicationScoped
public class LogReadiness implements HealthCheck {
    private final PartitionOwnership ownership;

    @Inject
    LogReadiness(PartitionOwnership ownership) {
        this.ownership = ownership;
    }

    @Override
    public HealthCheckResponse call() {
        boolean owns = ownership.partition().isPresent();
        boolean answers = ownership.busAnswers();
        return HealthCheckResponse.named("bus")
                .withData("owns partitions", owns)
                .withData("bus answers", answers)
                .status(owns && answers)
                .build();
    }
}
