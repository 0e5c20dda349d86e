package dev.counterpoint.worker.job;

import dev.counterpoint.bus.kafka.KafkaClients;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;

/// Producers that differ in how long they gather: a lone stream's tokens go at once, and the more streams there are,
/// the more of their tokens go in one request. An attempt keeps the one that it began with, so its frames stay in
/// order. Thread-safe.
final class TokenProducers {
    /// From so many attempts on a producer gathers for so long.
    private record Step(int running, int millis) {}

    private static final List<Step> STEPS = List.of(new Step(0, 0), new Step(4, 1), new Step(12, 2), new Step(32, 5));

    private final List<Producer<String, byte[]>> producers;

    TokenProducers(KafkaClients clients) {
        producers = STEPS.stream()
                .<Producer<String, byte[]>>map(
                        step -> step.millis == 0 ? clients.promptProducer() : clients.gatheringProducer(step.millis))
                .toList();
    }

    /// The one that sends at once.
    Producer<String, byte[]> prompt() {
        return producers.getFirst();
    }

    /// @param running attempts of this worker
    Producer<String, byte[]> forLoad(int running) {
        int step = STEPS.size() - 1;
        while (STEPS.get(step).running > running) {
            step--;
        }
        return producers.get(step);
    }

    /// @param atMost for the records that are under way
    void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        for (var producer : producers) {
            producer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
    }
}
