package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.gateway.config.AdmissionConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.testkit.TestConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;

/// Admissions that tests turn by hand: what is sent is sent at once.
public final class TestAdmission {
    private TestAdmission() {}

    /// The beat of a worker with an inbox of one partition, from which it has taken nothing.
    public static Heartbeat beat(String worker, String model, int slots, int free) {
        var served = new Heartbeat.Model(model, "", 1_000, slots, free, List.of());
        var inbox = List.of(new InboxPartition(worker.hashCode() & 0xFFFF, 0));
        return new Heartbeat(worker, served, 0, null, 0, inbox, 500, 1);
    }

    /// With the settings of a deployment that sets none.
    public static Admission of(FleetMembership fleet, JobDispatch dispatch) {
        return of(fleet, dispatch, new SimpleMeterRegistry(), Map.of());
    }

    /// Over inboxes that others use too.
    public static Admission of(Inboxes inboxes, JobDispatch dispatch) {
        return of(inboxes, dispatch, false);
    }

    static Admission of(
            FleetMembership fleet, JobDispatch dispatch, MeterRegistry registry, Map<String, String> settings) {
        var config = TestConfig.of(AdmissionConfig.class, settings);
        var setup = new Admission.Setup(config, new Inboxes(fleet), dispatch, Runnable::run, () -> false);
        return new Admission(setup, new AdmissionMetrics(registry));
    }

    private static Admission of(Inboxes inboxes, JobDispatch dispatch, boolean severalTenants) {
        var config = TestConfig.of(AdmissionConfig.class, Map.of());
        var setup = new Admission.Setup(config, inboxes, dispatch, Runnable::run, () -> severalTenants);
        return new Admission(setup, new AdmissionMetrics(new SimpleMeterRegistry()));
    }

    static Admission ofSeveralTenants(FleetMembership fleet, JobDispatch dispatch) {
        return of(new Inboxes(fleet), dispatch, true);
    }
}
