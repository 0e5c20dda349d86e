package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.Turns;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.engine.Engine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/// What an attempt under test needs around it.
final class Workbench {
    static final Map<Band, Integer> SHARES = Map.of(Band.HIGH, 12, Band.NORMAL, 3, Band.LOW, 1);

    /// Of the engine without a sign of life.
    static final int BEATS_MAX = 3;

    final MeterRegistry registry = new SimpleMeterRegistry();
    final EngineWatch watch = new EngineWatch(BEATS_MAX);
    final Room room;
    final Attempt.Workplace work;

    Workbench(Engine engine, KeyRing keys) {
        room = new Room(
                engine, engine.describe().contextTokens() / engine.describe().slots(), new Turns(SHARES));
        work = new Attempt.Workplace(
                engine,
                new PromptRenderer(keys),
                keys,
                Duration.ofSeconds(1).toNanos(),
                Duration.ofHours(1).toMillis(),
                new WorkerMetrics(registry, engine, "model"),
                watch);
    }

    Attempt.Hold hold(JobTicket ticket, FrameOutbox outbox) {
        return new Attempt.Hold(ticket, outbox, Objects.requireNonNull(room.take(Band.NORMAL)), System.nanoTime());
    }
}
