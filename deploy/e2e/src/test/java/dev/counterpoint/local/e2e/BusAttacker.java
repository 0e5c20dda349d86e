package dev.counterpoint.local.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.local.e2e.Forgery.Counted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;

/// Appends forgeries with one login, and finds out what becomes of each.
final class BusAttacker implements AutoCloseable {
    static final String REFUSED = "refused";
    static final String VOID = "void";
    /// Nobody counted it: it was believed, or nobody listens.
    private static final String NOT_COUNTED = "NOT COUNTED";

    private static final int TRIES = 3;
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final long COUNTED_WITHIN_NANOS = Duration.ofSeconds(10).toNanos();

    private final String name;
    private final boolean letIn;
    private final BusTap bus;
    private final SuiteMetrics metrics;
    private final KafkaProducer<String, byte[]> producer;

    /// @param login of a service, or one that is worth nothing
    /// @param metrics of the suite
    BusAttacker(Login login, BusTap bus, SuiteMetrics metrics) {
        name = login.name();
        letIn = login.letIn();
        this.bus = bus;
        this.metrics = metrics;
        // A busy machine may take seconds for the first word of the broker.
        producer = letIn ? login.clients().patientProducer() : login.clients().promptProducer();
    }

    /// A login on the broker.
    ///
    /// @param letIn whether the broker knows it
    record Login(String name, KafkaClients clients, boolean letIn) {}

    /// Appends a forgery while an answer is under way.
    ///
    /// @param current the response that it attacks next
    String outcome(Forgery forgery, Supplier<Optional<ResponseId>> current) throws InterruptedException {
        for (int tries = 0; tries < TRIES; tries++) {
            var attacked = Eventually.until(
                            () -> current.get().flatMap(id -> AttackedResponse.of(id, bus)), Optional::isPresent)
                    .orElseThrow();
            var records = forgery.maker().make(attacked);
            double before = counted(forgery.counted());
            if (!append(forgery, records)) {
                return REFUSED;
            }
            if (passedOver(forgery, before + records.size(), attacked.id())) {
                return VOID;
            }
        }
        return NOT_COUNTED;
    }

    /// Whether the broker took it.
    private boolean append(Forgery forgery, List<ProducerRecord<String, byte[]>> records) throws InterruptedException {
        try {
            append(mark(forgery), records.subList(0, 1));
            append(mark(forgery), records.subList(1, records.size()));
            return true;
        } catch (ExecutionException e) {
            var cause = e.getCause();
            // Who is not let in may not even be answered.
            boolean refused = letIn
                    ? cause instanceof AuthorizationException
                    : cause instanceof AuthenticationException || cause instanceof TimeoutException;
            if (!refused || bus.holds(mark(forgery))) {
                throw new AssertionError(mark(forgery), e);
            }
            return false;
        }
    }

    /// Returns once the broker has all of them.
    void append(String mark, List<ProducerRecord<String, byte[]>> records)
            throws InterruptedException, ExecutionException {
        var sent = new ArrayList<Future<RecordMetadata>>();
        for (var record : records) {
            record.headers().add(BusTap.FORGED, mark.getBytes(UTF_8));
            sent.add(producer.send(record));
        }
        for (var each : sent) {
            each.get();
        }
    }

    private String mark(Forgery forgery) {
        return name + ": " + forgery.name();
    }

    /// Whether whoever reads the forgery counts it. A log that ends meanwhile is read by nobody.
    private boolean passedOver(Forgery forgery, double wanted, ResponseId attacked) throws InterruptedException {
        long until = System.nanoTime() + COUNTED_WITHIN_NANOS;
        boolean counted = false;
        boolean ended = false;
        while (!counted && !ended && System.nanoTime() < until) {
            TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            ended = AttackedResponse.of(attacked, bus).isEmpty() && forgery.counted() == Counted.FRAMES;
            counted = forgery.counted() == Counted.NOWHERE
                    ? bus.holds(mark(forgery))
                    : counted(forgery.counted()) >= wanted;
        }
        return counted;
    }

    private double counted(Counted counted) {
        return counted == Counted.NOWHERE ? 0 : metrics.of(counted.service, counted.metric, counted.label);
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
