package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.kafka.Topic.Band;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The metrics of requests that come in and wait. Labels are fixed names and the names of models that were served,
/// never a tenant. Thread-safe.
final class AdmissionMetrics {
    /// More models have no meters of their own.
    private static final int MODELS_MAX = 64;

    private final MeterRegistry registry;
    private final Set<String> models = ConcurrentHashMap.newKeySet();

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
                .description("Jobs of this gateway in inboxes that no worker has taken")
                .register(registry);
    }

    /// Registers gauges of the jobs of a model that no worker has taken: their number and age.
    void watch(Admission admission, String model) {
        if (models.size() >= MODELS_MAX || !models.add(model)) {
            return;
        }
        Gauge.builder(
                        "counterpoint.queue.depth",
                        admission,
                        it -> it.backlog(model).jobs())
                .description("Jobs of a model that no worker has taken, in this gateway or its in inboxes")
                .tag("model", model)
                .register(registry);
        Gauge.builder(
                        "counterpoint.queue.age",
                        admission,
                        it -> it.backlog(model).ageSeconds(System.currentTimeMillis()))
                .description("Time since the oldest of them was accepted")
                .baseUnit("seconds")
                .tag("model", model)
                .register(registry);
    }

    void admitted(Band band) {
        Counter.builder("counterpoint.gateway.admitted")
                .description("Jobs sent to workers")
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
