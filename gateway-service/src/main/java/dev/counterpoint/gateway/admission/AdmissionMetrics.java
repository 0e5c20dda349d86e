package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.kafka.Topic.Band;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/// The metrics of requests that come in and wait. Labels are fixed names, never a tenant. Thread-safe.
final class AdmissionMetrics {
    private final MeterRegistry registry;

    AdmissionMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (var refusal : AdmissionRefusal.values()) {
            refusals(refusal);
        }
    }

    /// Tells from now on how full it is.
    void watch(Admission admission) {
        for (var band : Band.values()) {
            Gauge.builder("counterpoint.gateway.waiting", admission, it -> it.waiting(band))
                    .description("Responses that wait in this gateway")
                    .tag("band", label(band))
                    .register(registry);
        }
        Gauge.builder("counterpoint.gateway.open", admission, Admission::open)
                .description("Responses under way, waiting ones included")
                .register(registry);
        Gauge.builder("counterpoint.gateway.queued", admission, Admission::queued)
                .description("Jobs of this gateway in Kafka that no worker has taken")
                .register(registry);
    }

    void admitted(Band band) {
        Counter.builder("counterpoint.gateway.admitted")
                .description("Jobs let through to the workers' queues")
                .tag("band", label(band))
                .register(registry)
                .increment();
    }

    void refused(AdmissionRefusal why) {
        refusals(why).increment();
    }

    private Counter refusals(AdmissionRefusal why) {
        return Counter.builder("counterpoint.gateway.refused")
                .description("Requests that were not let in")
                .tag("reason", why.label())
                .register(registry);
    }

    private static String label(Band band) {
        return band.name().toLowerCase(Locale.ROOT);
    }
}
