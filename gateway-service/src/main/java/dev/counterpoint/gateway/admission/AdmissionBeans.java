package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.config.AdmissionConfig;
import dev.counterpoint.gateway.tenancy.TenantCensus;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;

final class AdmissionBeans {
    private AdmissionBeans() {}

    /// Sending may wait a moment for the bus, and whoever reports an event must not.
    @Produces
    @Dependent
    static Admission.Setup setup(AdmissionConfig config, Inboxes inboxes, JobDispatch dispatch, TenantCensus tenants) {
        var sender = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("admission").daemon().factory());
        return new Admission.Setup(config, inboxes, dispatch, sender, tenants::several);
    }

    @Produces
    @Singleton
    static Admission admission(Admission.Setup setup, MeterRegistry registry) {
        return new Admission(setup, new AdmissionMetrics(registry));
    }
}
