package dev.counterpoint.gateway.admission;

import dev.counterpoint.gateway.models.LiveFleet;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/// Admissions that tests turn by hand: what is sent is sent at once.
public final class TestAdmission {
    private TestAdmission() {}

    /// With the settings of a deployment that sets none.
    public static Admission of(LiveFleet fleet, Dispatch dispatch) {
        return of(fleet, dispatch, new SimpleMeterRegistry(), Map.of());
    }

    static Admission of(LiveFleet fleet, Dispatch dispatch, MeterRegistry registry, Map<String, String> settings) {
        return new Admission(
                new Admission.Setup(config(settings), fleet, dispatch, Runnable::run), new AdmissionMetrics(registry));
    }

    static AdmissionConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withMapping(AdmissionConfig.class)
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(AdmissionConfig.class);
    }
}
