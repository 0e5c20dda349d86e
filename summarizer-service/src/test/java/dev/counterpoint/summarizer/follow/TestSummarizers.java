package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.servicekit.tracing.Tracing;
import dev.counterpoint.summarizer.SummarizerConfig;
import dev.counterpoint.testkit.TestConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Summarizers of one group of its own, stopped at the end.
final class TestSummarizers {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    final String group = "summarizer-" + UUID.randomUUID();
    private final KafkaClients clients;
    private final List<Replica> running = new ArrayList<>();

    private final SentenceSource.Factory sentences;

    TestSummarizers(KafkaClients clients) {
        this(clients, _ -> new PlainSentences());
    }

    TestSummarizers(KafkaClients clients, SentenceSource.Factory sentences) {
        this.clients = clients;
        this.sentences = sentences;
    }

    record Replica(Summarizer summarizer, SimpleMeterRegistry registry) {
        double counted(String name) {
            return registry.get("counterpoint.summarizer." + name).counter().count();
        }

        int following() {
            return (int)
                    registry.get("counterpoint.summarizer.followed").gauge().value();
        }
    }

    Replica start() {
        return start(Map.of());
    }

    Replica start(Map<String, String> more) {
        var settings = new HashMap<String, String>(more);
        settings.put("summarizer.bootstrap-servers", clients.bootstrap());
        settings.put("summarizer.keys-dir", TestKeys.FOLDER.toString());
        settings.put("summarizer.group", group);
        settings.putIfAbsent("summarizer.tidy-interval", "200ms");
        var config = TestConfig.of(SummarizerConfig.class, settings);
        var registry = new SimpleMeterRegistry();
        var replica = new Replica(new Summarizer(config, sentences, registry, Tracing.OFF), registry);
        running.add(replica);
        replica.summarizer.start();
        await(() -> replica.summarizer.follows() && replica.summarizer.busAnswers());
        return replica;
    }

    void stop(Replica replica) throws InterruptedException {
        running.remove(replica);
        replica.summarizer.stop();
    }

    static void await(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("the time when it should have come true")
                    .isLessThan(giveUp);
            LockSupport.parkNanos(5_000_000);
        }
    }

    void stopAll() throws InterruptedException {
        for (var replica : List.copyOf(running)) {
            stop(replica);
        }
    }
}
