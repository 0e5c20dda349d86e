package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineStatistics;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.worker.constraint.Constraints;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Meters of a worker. Every meter is labelled with the kind of engine and the model; other labels are fixed names.
/// No meter holds data of a request. Thread-safe.
public final class WorkerMetrics {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1)
    };

    private static final Duration[] MASK_BUCKETS = {
        Duration.ofNanos(10_000),
        Duration.ofNanos(100_000),
        Duration.ofMillis(1),
        Duration.ofMillis(3),
        Duration.ofMillis(10),
        Duration.ofMillis(30),
        Duration.ofMillis(100)
    };

    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter tokens;
    private final Counter promptTokens;
    private final Timer fence;
    private final Timer firstToken;
    private final Timer masks;
    private final GenAiMetrics genAi;

    /// @param model as clients name it
    public WorkerMetrics(MeterRegistry registry, Engine engine, String model) {
        this.registry = registry;
        tags = Tags.of("engine", engine.describe().engine(), "model", model);
        tokens = counter("counterpoint.worker.tokens", "Tokens sampled", tags);
        promptTokens = counter("counterpoint.worker.prompt.tokens", "Tokens of prompts handed to the engine", tags);
        fence = timer("counterpoint.worker.fence", "From taking a job to holding its response", tags);
        firstToken = timer("counterpoint.worker.first.token", "From taking a job to its first token", tags);
        masks = masks(registry, tags);
        genAi = new GenAiMetrics(registry, tags);
        toldFromTheStart();
        constraints();
        gauge(
                "counterpoint.engine.free.tokens",
                "Context memory that no generation holds",
                engine,
                it -> it.health().freeTokens());
        gauge(
                "counterpoint.engine.waiting",
                "Generations that wait for memory",
                engine,
                it -> it.statistics().waiting());
        count("counterpoint.engine.steps", "Batches computed", engine, EngineStatistics::steps);
        count("counterpoint.engine.computed.tokens", "Tokens in them", engine, EngineStatistics::computedTokens);
        count(
                "counterpoint.engine.reused.tokens",
                "Prompt tokens not computed",
                engine,
                EngineStatistics::reusedTokens);
        count("counterpoint.engine.preemptions", "Memory given up", engine, EngineStatistics::preemptions);
    }

    /// Registers counters at 0, so that the first event is visible as a change.
    private void toldFromTheStart() {
        Stream.of(Outcome.values()).forEach(this::jobs);
        Stream.of(HarmonyEvent.Repair.values()).forEach(this::repairs);
        attemptsResumed();
    }

    private void constraints() {
        FunctionTimer.builder(
                        "counterpoint.worker.constraint.compile",
                        this,
                        _ -> Constraints.statistics().compiled(),
                        _ -> Constraints.statistics().compileNanos(),
                        TimeUnit.NANOSECONDS)
                .description("Constraints compiled, and the time that took")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder(
                        "counterpoint.worker.constraint.reused",
                        this,
                        _ -> Constraints.statistics().reused())
                .description("Constraints that were there already")
                .tags(tags)
                .register(registry);
    }

    /// Of the sets of tokens that masks allow.
    ///
    /// @param tags the engine's kind and the model's name
    public static Timer masks(MeterRegistry registry, Tags tags) {
        return Timer.builder("counterpoint.worker.mask")
                .description("To find the tokens that may come next")
                .tags(tags)
                .serviceLevelObjectives(MASK_BUCKETS)
                .register(registry);
    }

    /// The same of this worker.
    public Timer masks() {
        return masks;
    }

    /// Tells from now on how many permits are held and free.
    public void watch(CapacityGate gate) {
        gauge("counterpoint.worker.running", "Jobs and drafts under way", gate, CapacityGate::heldPermits);
        gauge("counterpoint.worker.free.slots", "Jobs that would be taken now", gate, CapacityGate::availablePermits);
    }

    void token() {
        tokens.increment();
    }

    void prompt(int length) {
        promptTokens.increment(length);
    }

    void firstToken(Duration sinceTaken) {
        firstToken.record(sinceTaken);
    }

    void resumed() {
        attemptsResumed().increment();
    }

    private Counter attemptsResumed() {
        return counter("counterpoint.worker.resumed", "Attempts that went on with what an earlier one had said", tags);
    }

    GenAiMetrics genAi() {
        return genAi;
    }

    void repaired(HarmonyEvent.Repair kind) {
        repairs(kind).increment();
    }

    private Counter repairs(HarmonyEvent.Repair kind) {
        return counter(
                "counterpoint.worker.repairs",
                "Faults of the model's Harmony that were mended",
                tags.and("kind", wireName(kind)));
    }

    /// @param millis from acceptance to the first taking; negative where the gateway's clock is ahead of ours
    public void waited(Band band, long millis) {
        timer("counterpoint.worker.queue.wait", "From acceptance to taking the job", tags.and("band", wireName(band)))
                .record(Duration.ofMillis(Math.max(0, millis)));
    }

    public void taken(Outcome outcome, Duration took) {
        jobs(outcome).increment();
        fence.record(took);
    }

    private Counter jobs(Outcome outcome) {
        return counter("counterpoint.worker.jobs", "Jobs taken", tags.and("outcome", wireName(outcome)));
    }

    private Counter counter(String name, String description, Tags labels) {
        return Counter.builder(name).description(description).tags(labels).register(registry);
    }

    private Timer timer(String name, String description, Tags labels) {
        return Timer.builder(name)
                .description(description)
                .tags(labels)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private <T> void gauge(String name, String description, T watched, ToDoubleFunction<T> value) {
        Gauge.builder(name, watched, value).description(description).tags(tags).register(registry);
    }

    private void count(String name, String description, Engine engine, ToDoubleFunction<EngineStatistics> value) {
        FunctionCounter.builder(name, engine, it -> value.applyAsDouble(it.statistics()))
                .description(description)
                .tags(tags)
                .register(registry);
    }

    static String wireName(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    /// The outcome of a job that was taken.
    public enum Outcome {
        RUN,
        NOT_NEEDED,
        UNREADABLE,
        /// The fence was written, but the log could not be read.
        HANDED_OVER,
        /// No gateway signed its ticket, or the ticket denies its frame 0.
        FORGED
    }
}
