package dev.counterpoint.worker.job;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.fleet.Beat;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.worker.WorkerConfig;
import dev.counterpoint.worker.engine.Engine;
import dev.counterpoint.worker.engine.EngineDescription;
import dev.counterpoint.worker.prompt.PromptRenderer;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One worker process: starts when the bus answers, announces its model, takes jobs, and hands over what it
/// runs when it is told to stop.
@Startup
@ApplicationScoped
public class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    /// Handing over takes one append for each attempt.
    private static final Duration HANDOVER_MAX = Duration.ofSeconds(3);

    private final WorkerConfig config;
    private final Engine engine;
    private final KeyRing keys;
    private final Clients clients;
    private final MeterRegistry registry;
    private final String self = "worker-" + UUID.randomUUID();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("worker-beat").daemon().factory());
    private volatile @Nullable Parts parts;

    private record Parts(
            KafkaProducer<String, byte[]> tokens,
            KafkaProducer<String, byte[]> beats,
            Running running,
            JobIntake intake,
            ControlLoop control) {}

    @Inject
    Worker(WorkerConfig config, Engine engine, MeterRegistry registry) {
        this.config = config;
        this.engine = engine;
        this.registry = registry;
        keys = KeyRing.load(config.keysDir(), Role.WORKER);
        clients = new Clients(config.bootstrapServers());
    }

    @PostConstruct
    void start() {
        timer.scheduleAtFixedRate(this::tick, 0, config.beatInterval().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            var running = parts;
            if (running == null) {
                parts = begin();
            } else {
                beat(running);
            }
        } catch (KafkaException e) {
            LOG.warn("bus does not answer cause={}", e.getClass().getSimpleName());
        } catch (RuntimeException e) {
            LOG.error("beat failed", e);
        }
    }

    private Parts begin() {
        var model = modelName();
        var group = "workers." + Topic.checkedModel(model).orElseThrow();
        String topic;
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            topics.ensureShared(Topic.FRAMES_PER_GATEWAY);
            topic = topics.ensureJobs(model, Topic.Band.NORMAL);
            topics.ensureShareGroup(group);
        }
        var work = new Attempt.Workplace(
                engine,
                new PromptRenderer(keys),
                keys,
                config.progressInterval().toNanos(),
                config.reasoningLifetime().toMillis(),
                new WorkerMetrics(registry));
        var tokens = clients.tokenProducer();
        var running = new Running(engine.describe().slots());
        var intake = new JobIntake(work, clients, tokens, running, new JobIntake.Queue(topic, group, self));
        var control = new ControlLoop(clients, running);
        Thread.ofPlatform().name("job-intake").daemon().start(intake);
        Thread.ofPlatform().name("control").daemon().start(control);
        LOG.info(
                "takes jobs topic={} slots={} worker={}",
                topic,
                engine.describe().slots(),
                self);
        return new Parts(tokens, clients.promptProducer(), running, intake, control);
    }

    private void beat(Parts running) {
        var description = engine.describe();
        var model = new Beat.Model(
                modelName(),
                description.text(),
                description.contextLength(),
                description.slots(),
                Math.min(running.running.free(), engine.health().freeSlots()),
                description.abilities().stream().map(Worker::wireName).sorted().toList());
        var beat = new Beat(self, model, System.currentTimeMillis());
        running.beats.send(new ProducerRecord<>(Topic.MODELS, 0, self, beat.encode()));
    }

    private String modelName() {
        return config.modelName().orElseGet(() -> engine.describe().model());
    }

    private static String wireName(EngineDescription.Ability ability) {
        return ability.name().toLowerCase(Locale.ROOT);
    }

    /// Whether this worker takes jobs.
    boolean ready() {
        return parts != null;
    }

    /// Waits until nothing runs here.
    ///
    /// @return whether that came to be in time
    boolean becomesIdle(Duration atMost) throws InterruptedException {
        var running = parts;
        return running == null || running.running.awaitIdle(atMost);
    }

    @PreDestroy
    void stop() throws InterruptedException {
        var running = parts;
        timer.shutdownNow();
        if (running == null) {
            return;
        }
        running.intake.close();
        running.control.close();
        running.running.giveUpAll();
        becomesIdle(HANDOVER_MAX);
        running.tokens.close(HANDOVER_MAX);
        running.beats.send(new ProducerRecord<>(Topic.MODELS, 0, self, null));
        running.beats.close(HANDOVER_MAX);
    }
}
