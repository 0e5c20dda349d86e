package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores a record of the bus in the database. An outage delays it, so no record is lost. An unreadable record goes to
/// the dead letters, so it blocks no other. Thread-safe.
@ApplicationScoped
class AuditIngest {
    private static final Logger LOG = LoggerFactory.getLogger(AuditIngest.class);
    private static final int BEFORE_ANYTHING_STOPS = 1;
    private static final int TELL_EVERY = 10;
    private static final String DEAD_LETTERS = "audit.dead.letters";
    private static final String RETRIES = "audit.intake.retries";

    private final DeadLetterStore deadLetters;
    private final InFlightRecords inFlight;
    private final MeterRegistry metrics;
    private final AuditConfig config;
    private final CountDownLatch stopping = new CountDownLatch(1);

    AuditIngest(DeadLetterStore deadLetters, InFlightRecords inFlight, MeterRegistry metrics, AuditConfig config) {
        this.deadLetters = deadLetters;
        this.inFlight = inFlight;
        this.metrics = metrics;
        this.config = config;
        // Told from the start as 0, so that the first is seen as a change.
        metrics.counter(RETRIES);
        for (var topic : List.of(Topic.AUDIT, Topic.ACCESS_LOG)) {
            metrics.counter(DEAD_LETTERS, "topic", topic);
        }
    }

    /// The service stops before a record is stored: the record is not acknowledged, and the bus delivers it again.
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StoppedException() {
            super("the service stops", null, false, false);
        }
    }

    void stop(@Observes @Priority(BEFORE_ANYTHING_STOPS) ShutdownEvent stop) {
        stopping.countDown();
    }

    /// Returns once the records are committed, in their table or among the dead letters, and published.
    ///
    /// @param store stores bodies in one transaction, all or none
    void take(List<ConsumerRecord<String, byte[]>> records, Consumer<List<byte[]>> store, Runnable publish) {
        var oldest = records.stream().mapToLong(ConsumerRecord::timestamp).min();
        if (oldest.isEmpty()) {
            return;
        }
        try (var _ = inFlight.hold(oldest.getAsLong())) {
            untilPublished(records, store, publish);
        }
    }

    /// One record that cannot be stored must not hold up the others, so each is tried alone then.
    private static boolean storedTogether(List<ConsumerRecord<String, byte[]>> records, Consumer<List<byte[]>> store) {
        try {
            store.accept(records.stream().map(AuditIngest::bytes).toList());
            return true;
        } catch (RuntimeException failure) {
            return false;
        }
    }

    /// After a failure to publish the database may be another one, so it gets the records again.
    private void untilPublished(
            List<ConsumerRecord<String, byte[]>> records, Consumer<List<byte[]>> store, Runnable publish) {
        var pause = config.intakeBackoff();
        for (int attempt = 1; ; attempt++) {
            if (records.size() == 1 || !storedTogether(records, store)) {
                records.forEach(record -> untilCommitted(record, store));
            }
            try {
                publish.run();
                return;
            } catch (RuntimeException failure) {
                tell(records.getFirst(), failure, attempt);
                pause(pause);
                pause = longer(pause);
            }
        }
    }

    private void untilCommitted(ConsumerRecord<String, byte[]> record, Consumer<List<byte[]>> store) {
        boolean readable = true;
        int refusals = 0;
        var pause = config.intakeBackoff();
        for (int attempt = 1; ; attempt++) {
            try {
                if (readable && refusals < config.intakeAttempts()) {
                    store.accept(List.of(bytes(record)));
                } else {
                    bury(record);
                }
                return;
            } catch (MalformedMessageException | SealException unreadable) {
                LOG.warn(
                        "unreadable {} cause={}",
                        place(record),
                        unreadable.getClass().getSimpleName());
                readable = false;
            } catch (RuntimeException failure) {
                refusals += AuditProblem.OUTAGES.isOutage(failure) ? 0 : 1;
                tell(record, failure, attempt);
                pause(pause);
                pause = longer(pause);
            }
        }
    }

    private static byte[] bytes(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            throw new MalformedMessageException("a record without a value");
        }
        return record.value();
    }

    private void bury(ConsumerRecord<String, byte[]> record) {
        deadLetters.keep(record);
        metrics.counter(DEAD_LETTERS, "topic", record.topic()).increment();
        LOG.error("dead letter {}", place(record));
    }

    private void tell(ConsumerRecord<String, byte[]> record, RuntimeException failure, int attempt) {
        metrics.counter(RETRIES).increment();
        boolean outage = AuditProblem.OUTAGES.isOutage(failure);
        if (outage && attempt % TELL_EVERY == 1) {
            LOG.warn("waiting to store {} cause={}", place(record), SafeStackTrace.name(failure));
        } else if (!outage) {
            LOG.error("storing failed {} attempt={} error={}", place(record), attempt, SafeStackTrace.of(failure));
        }
    }

    private void pause(Duration pause) {
        try {
            if (stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new StoppedException();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    private Duration longer(Duration pause) {
        var doubled = pause.multipliedBy(2);
        return doubled.compareTo(config.intakeBackoffMax()) < 0 ? doubled : config.intakeBackoffMax();
    }

    private static String place(ConsumerRecord<String, byte[]> record) {
        return "topic=" + record.topic() + " partition=" + record.partition() + " offset=" + record.offset();
    }
}
