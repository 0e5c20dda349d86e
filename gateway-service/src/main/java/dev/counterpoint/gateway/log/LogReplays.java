package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.Replays;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;

/// [Replays] over the bus. Each has a consumer of its own, so their number is bounded.
@ApplicationScoped
class LogReplays implements Replays {
    private final KeyRing keys;
    private final Supplier<Consumer<String, byte[]>> consumers;
    private final Duration window;
    private final Semaphore free;
    private final InstantSource clock;

    @Inject
    LogReplays(LogConfig config, KafkaClients clients, KeyRing keys) {
        this(config, clients::replayReader, keys, InstantSource.system());
    }

    LogReplays(LogConfig config, Supplier<Consumer<String, byte[]>> consumers, KeyRing keys, InstantSource clock) {
        this.keys = keys;
        this.consumers = consumers;
        this.window = config.replayWindow();
        this.free = new Semaphore(config.replayReaders());
        this.clock = clock;
    }

    @Override
    public Replay open(ResponseId id, long atMostMillis) throws InterruptedException {
        if (Instant.ofEpochMilli(id.acceptedAtMillis()).plus(window).isBefore(clock.instant())) {
            throw new GoneException();
        }
        return read(id, atMostMillis);
    }

    @Override
    public boolean accepted(ResponseId id, long atMostMillis) throws InterruptedException {
        try (var _ = read(id, atMostMillis)) {
            return true;
        } catch (GoneException e) {
            return false;
        }
    }

    private Replay read(ResponseId id, long atMostMillis) throws InterruptedException {
        if (!free.tryAcquire(atMostMillis, TimeUnit.MILLISECONDS)) {
            throw new BusyException();
        }
        boolean made = false;
        try {
            var consumer = consumers.get();
            made = true; // from here on the replay gives its place back
            return new LogReplay(id, keys, consumer, free::release).open();
        } finally {
            if (!made) {
                free.release();
            }
        }
    }
}
