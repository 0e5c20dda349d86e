package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.servicekit.tracing.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// What an attempt under test needs around it.
public final class Workbench {
    static final int FORM_TOKENS_MAX = 2_000;

    /// Of the engine without a sign of life.
    static final int BEATS_MAX = 3;

    public final MeterRegistry registry = new SimpleMeterRegistry();
    final EngineWatchdog watchdog = new EngineWatchdog(BEATS_MAX);
    public final CapacityGate gate;
    public final WorkerContext context;

    public Workbench(Engine engine, KeyRing keys) {
        gate = new CapacityGate(
                engine,
                () -> engine.describe().contextTokens() / engine.describe().slots());
        context = new WorkerContext(
                engine,
                watchdog,
                keys,
                new WorkerMetrics(registry, engine, "model"),
                new WorkerContext.Times(Duration.ofSeconds(1), Duration.ofHours(1)),
                FORM_TOKENS_MAX,
                Tracing.OFF);
    }

    /// A job of one question.
    public static GenerationJob asking(String question) {
        return new GenerationJob(
                List.of(new PromptItem.User(question)),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("context"));
    }

    public CapacityGate.Permit permit() {
        try {
            return Objects.requireNonNull(gate.tryAcquire(Duration.ZERO));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    AttemptContext attempt(JobTicket ticket, FramePublisher publisher) {
        return new AttemptContext(
                ticket, publisher, permit(), new AttemptContext.Taken(System.nanoTime(), AttemptSpans.NONE));
    }
}
