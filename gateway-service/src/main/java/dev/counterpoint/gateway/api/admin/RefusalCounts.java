package dev.counterpoint.gateway.api.admin;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Counts refused requests by the metrics of this gateway, since its start and in the last hour. Thread-safe.
@ApplicationScoped
class RefusalCounts {
    private static final int SAMPLES_MAX = 61;
    private static final int FIRST_REFUSAL = 400;

    private final MeterRegistry metrics;
    /// One a minute, the oldest first.
    private final Deque<Map<Reason, Long>> samples = new ArrayDeque<>();

    private record Reason(String kind, String name) {}

    RefusalCounts(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    @Scheduled(every = "1m")
    synchronized void sample() {
        samples.addLast(counts());
        if (samples.size() > SAMPLES_MAX) {
            samples.removeFirst();
        }
    }

    /// The refusals by reason, those of admission first. A gateway that has run for less than an hour counts from its
    /// start.
    synchronized List<AdminViews.Refusal> refusals() {
        var hourAgo = samples.size() < SAMPLES_MAX ? Map.<Reason, Long>of() : samples.getFirst();
        return counts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(
                        Comparator.comparing(Reason::kind).thenComparing(Reason::name)))
                .map(entry -> new AdminViews.Refusal(
                        entry.getKey().name,
                        entry.getKey().kind,
                        entry.getValue(),
                        entry.getValue() - hourAgo.getOrDefault(entry.getKey(), 0L)))
                .toList();
    }

    private Map<Reason, Long> counts() {
        var counts = new HashMap<Reason, Long>();
        for (var counter : metrics.find("counterpoint.gateway.refused").counters()) {
            counts.merge(new Reason("admission", tag(counter.getId().getTag("reason"))), count(counter), Long::sum);
        }
        for (var timer : metrics.find("http.server.requests").timers()) {
            int status = status(timer);
            if (status >= FIRST_REFUSAL && tag(timer.getId().getTag("uri")).startsWith("/v1")) {
                counts.merge(new Reason("status", Integer.toString(status)), timer.count(), Long::sum);
            }
        }
        return counts;
    }

    private static long count(Counter counter) {
        return Math.round(counter.count());
    }

    private static int status(Timer timer) {
        var status = tag(timer.getId().getTag("status"));
        return status.matches("\\d{3}") ? Integer.parseInt(status) : 0;
    }

    private static String tag(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }
}
