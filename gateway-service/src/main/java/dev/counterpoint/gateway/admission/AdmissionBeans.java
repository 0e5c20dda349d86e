package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.config.AdmissionConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;

final class AdmissionBeans {
    private AdmissionBeans() {}

    /// Sending may wait a moment for the bus, and whoever reports an event must not.
    @Produces
    @Singleton
    static Admission admission(
            AdmissionConfig config, FleetMembership fleet, JobDispatch dispatch, MeterRegistry registry) {
        var sender = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("admission").daemon().factory());
        return new Admission(new Admission.Setup(config, fleet, dispatch, sender), new AdmissionMetrics(registry));
    }
}
