package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.kafka.KafkaClients;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;

/// Producers that differ in how long they gather: a lone stream's tokens go at once, and the more streams there are,
/// the more of their tokens go in one request. An attempt keeps the one that it began with, so its frames stay in
/// order. Thread-safe.
public final class TokenProducers {
    /// How long an attempt's producer gathers when at least so many jobs are claimed.
    private record Linger(int claimed, int millis) {}

    private static final List<Linger> LINGERS =
            List.of(new Linger(0, 0), new Linger(4, 1), new Linger(12, 2), new Linger(32, 5));

    private final List<Producer<String, byte[]>> producers;

    public TokenProducers(KafkaClients clients) {
        producers = LINGERS.stream()
                .<Producer<String, byte[]>>map(linger -> clients.frameProducer(linger.millis))
                .toList();
    }

    /// The one that sends at once.
    public Producer<String, byte[]> prompt() {
        return producers.getFirst();
    }

    /// @param claimed jobs of this worker
    public Producer<String, byte[]> forLoad(int claimed) {
        int at = LINGERS.size() - 1;
        while (LINGERS.get(at).claimed > claimed) {
            at--;
        }
        return producers.get(at);
    }

    /// @param atMost for the records that are under way
    public void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        for (var producer : producers) {
            producer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
    }
}
