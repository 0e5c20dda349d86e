package dev.counterpoint.audit.intake;

import dev.counterpoint.audit.AuditConfig;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.servicekit.SafeStackTrace;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;

/// Brings a record of the bus into the database, whatever it takes: an outage is waited for and loses nothing; a record
/// that no waiting will make readable goes to the dead letters and holds up nobody. Thread-safe.
@ApplicationScoped
class Intake {
    private static final Logger LOG = Logger.getLogger(Intake.class);
    private static final int BEFORE_ANYTHING_STOPS = 1;
    private static final int TELL_EVERY = 10;

    private final DeadLetters dead;
    private final Pending pending;
    private final MeterRegistry metrics;
    private final AuditConfig config;
    private final CountDownLatch stopping = new CountDownLatch(1);

    @Inject
    Intake(DeadLetters dead, Pending pending, MeterRegistry metrics, AuditConfig config) {
        this.dead = dead;
        this.pending = pending;
        this.metrics = metrics;
        this.config = config;
    }

    /// Thrown when the service stops before a record is in: it is not acknowledged and comes again.
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        StoppedException() {
            super("the service stops", null, false, false);
        }
    }

    void stop(@Observes @Priority(BEFORE_ANYTHING_STOPS) ShutdownEvent stop) {
        stopping.countDown();
    }

    /// Returns when the record is in the database, in its table or among the dead letters.
    void take(ConsumerRecord<String, byte[]> record, Consumer<byte[]> store) {
        try (var _ = pending.hold(record.timestamp())) {
            untilIn(record, store);
        }
    }

    private void untilIn(ConsumerRecord<String, byte[]> record, Consumer<byte[]> store) {
        int failures = 0;
        var pause = config.intakeBackoff();
        for (int attempt = 1; ; attempt++) {
            try {
                if (failures < config.intakeAttempts()) {
                    store.accept(bytes(record));
                } else {
                    bury(record, "FAILED");
                }
                return;
            } catch (MalformedMessageException | SealException unreadable) {
                LOG.warnf(
                        "unreadable %s cause=%s",
                        place(record), unreadable.getClass().getSimpleName());
                failures = config.intakeAttempts();
            } catch (RuntimeException failure) {
                failures += AuditProblem.OUTAGE.isBehind(failure) ? 0 : 1;
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

    private void bury(ConsumerRecord<String, byte[]> record, String cause) {
        dead.keep(record, cause);
        metrics.counter("audit.dead.letters", "topic", record.topic()).increment();
        LOG.errorf("dead letter %s", place(record));
    }

    private void tell(ConsumerRecord<String, byte[]> record, RuntimeException failure, int attempt) {
        metrics.counter("audit.intake.retries").increment();
        boolean outage = AuditProblem.OUTAGE.isBehind(failure);
        if (outage && attempt % TELL_EVERY == 1) {
            LOG.warnf("waiting to store %s cause=%s", place(record), SafeStackTrace.name(failure));
        } else if (!outage) {
            LOG.errorf("storing failed %s attempt=%d error=%s", place(record), attempt, SafeStackTrace.of(failure));
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
