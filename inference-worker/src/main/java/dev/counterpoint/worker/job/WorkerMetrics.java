package dev.counterpoint.worker.job;

import dev.counterpoint.harmony.HarmonyEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;

/// What a worker counts. Labels are fixed names: nothing of a request is in them.
final class WorkerMetrics {
    private final MeterRegistry registry;
    private final Counter tokens;
    private final Timer fence;

    WorkerMetrics(MeterRegistry registry) {
        this.registry = registry;
        tokens = Counter.builder("counterpoint.worker.tokens")
                .description("Tokens sampled")
                .register(registry);
        fence = Timer.builder("counterpoint.worker.fence")
                .description("From taking a job to holding its response")
                .register(registry);
    }

    void token() {
        tokens.increment();
    }

    void repaired(HarmonyEvent.Repair kind) {
        registry.counter("counterpoint.worker.repairs", "kind", kind.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    void taken(Outcome outcome, Duration took) {
        registry.counter("counterpoint.worker.jobs", "outcome", outcome.name().toLowerCase(Locale.ROOT))
                .increment();
        fence.record(took);
    }

    /// What became of a job that was taken from the queue.
    enum Outcome {
        RUN,
        NOT_NEEDED,
        UNREADABLE
    }
}
