package dev.counterpoint.servicekit;

import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.RefusalListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the records that are void because nobody who may write them did, and says so now and then: whoever appends
/// them decides how many there are. Nothing of a record is told. Records that no key here verifies are reported as keys
/// of another deployment for a minute. Thread-safe.
@Singleton
public final class RefusedRecords implements RefusalListener, MisconfigurationSource {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRecords.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();
    /// All others are queues of jobs; these are named after models, which are no fixed words.
    private static final Set<String> TOPICS = Set.of(
            Topic.FRAMES, Topic.CONTROL, Topic.MODELS, Topic.AUDIT, Topic.ACCESS_LOG, Topic.AUDIT_LOG, Topic.SUSPECTS);

    private static final String JOBS = "jobs";
    private static final long REPORTED_NANOS = Duration.ofMinutes(1).toNanos();

    private final MeterRegistry registry;
    private final AtomicLong toldAtNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);
    private volatile @Nullable Unverified unverified;

    private record Unverified(String topic, long atNanos) {}

    /// Every count is told from the start as 0, so that the first refusal is seen as a change.
    public RefusedRecords(MeterRegistry registry) {
        this.registry = registry;
        Stream.concat(TOPICS.stream(), Stream.of(JOBS))
                .forEach(topic -> Stream.of(Reason.values()).forEach(reason -> counter(topic, reason)));
    }

    @Override
    public void refused(String topic, Reason reason) {
        var known = TOPICS.contains(topic) ? topic : JOBS;
        counter(known, reason).increment();
        long now = System.nanoTime();
        if (reason == Reason.SIGNATURE || reason == Reason.TAG) {
            unverified = new Unverified(known, now);
        }
        long told = toldAtNanos.get();
        if (now - told >= QUIET_NANOS && toldAtNanos.compareAndSet(told, now)) {
            LOG.warn("record refused topic={} reason={}", known, wireName(reason));
        }
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        var last = unverified;
        return last == null || System.nanoTime() - last.atNanos > REPORTED_NANOS
                ? List.of()
                : List.of(new Misconfiguration(
                        "keys-apart",
                        "no key here verifies records of topic " + last.topic + ": forged, or by a service with keys"
                                + " of another `GenerateKeys` run; give all services the files of one run"));
    }

    private Counter counter(String topic, Reason reason) {
        return Counter.builder("counterpoint.bus.refused")
                .description("Records that nobody wrote who may write them")
                .tag("topic", topic)
                .tag("reason", wireName(reason))
                .register(registry);
    }

    private static String wireName(Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
