package dev.counterpoint.gateway.log.owner;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/// Ready once this gateway owns partitions and the bus hands its records back.
@Readiness
@ApplicationScoped
public class LogReadiness implements HealthCheck {
    private final PartitionOwnership ownership;

    LogReadiness(PartitionOwnership ownership, MeterRegistry registry) {
        this.ownership = ownership;
        Gauge.builder("counterpoint.bus.up", ownership, it -> it.busAnswers() ? 1 : 0)
                .description("1 while this gateway's own records come back through the bus")
                .register(registry);
        Gauge.builder(
                        "counterpoint.gateway.owns",
                        ownership,
                        it -> it.partition().isPresent() ? 1 : 0)
                .description("1 while this gateway owns partitions that it can put responses on")
                .register(registry);
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
