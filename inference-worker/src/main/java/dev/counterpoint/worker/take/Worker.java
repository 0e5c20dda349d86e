package dev.counterpoint.worker.take;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.servicekit.BusFault;
import dev.counterpoint.servicekit.HeartbeatPublisher;
import dev.counterpoint.servicekit.LostBus;
import dev.counterpoint.servicekit.Misconfiguration;
import dev.counterpoint.servicekit.MisconfigurationSource;
import dev.counterpoint.servicekit.PollLoop;
import dev.counterpoint.servicekit.RefusedRecords;
import dev.counterpoint.servicekit.tracing.Tracing;
import dev.counterpoint.worker.WorkerConfig;
import dev.counterpoint.worker.attempt.CapacityGate;
import dev.counterpoint.worker.attempt.EngineWatchdog;
import dev.counterpoint.worker.attempt.InFlightJobs;
import dev.counterpoint.worker.attempt.WorkerContext;
import dev.counterpoint.worker.attempt.WorkerMetrics;
import dev.counterpoint.worker.constraint.Constraints;
import dev.counterpoint.worker.draft.DraftAnswerer;
import dev.counterpoint.worker.draft.DraftMetrics;
import dev.counterpoint.worker.draft.DraftWriter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One worker process: starts when the bus answers, announces its model, takes jobs, and hands over its running
/// jobs on shutdown.
@Startup
@ApplicationScoped
public class Worker {
    private static final String STAND_IN = "simulated";
    private static final int DRAFTS_MAX = 8;
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    /// Handing over takes one append for each attempt.
    private static final Duration HANDOVER_MAX = Duration.ofSeconds(3);
    /// For all of that, and the closing of the engine.
    private static final Duration EXIT_MAX = Duration.ofSeconds(15);
    private static final int BEFORE_ANYTHING_STOPS = 1;
    /// After this long without a partition there is none left.
    private static final Duration WITHOUT_INBOX_MAX = Duration.ofSeconds(10);
    /// The pace at which attempts are looked at.
    private static final long LOOK_MILLIS = 250;

    private final WorkerConfig config;
    private final Engine engine;
    private final KeyRing keys;
    private final BusFault busFault;
    private final RefusedRecords refusals;
    private final KafkaClients clients;
    private final MeterRegistry registry;
    private final Tracing tracing;
    private final String self = "worker-" + UUID.randomUUID();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("worker-beat").daemon().factory());
    private final InFlightJobs jobs = new InFlightJobs();
    private final CapacityGate gate;
    private final int draftsAtOnce;
    private final EngineWatchdog watchdog;
    private final Runnable end;
    private volatile @Nullable Parts parts;
    private volatile boolean stopping;
    private final BeatPace pace;
    /// Touched by the timer only.
    private boolean ending;

    private record Parts(
            WorkerBus bus,
            HeartbeatPublisher heartbeats,
            InboxConsumer inbox,
            Thread taking,
            PollLoop control,
            LostBus lostBus) {
        void start() {
            taking.start();
            control.start();
        }
    }

    @Inject
    Worker(WorkerConfig config, Engine engine, MeterRegistry registry, Tracing tracing) {
        this(config, engine, registry, tracing, Worker::exit);
    }

    /// An engine that hangs may hang in its closing too.
    private static void exit() {
        Quarkus.asyncExit(1);
        CompletableFuture.delayedExecutor(EXIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> Runtime.getRuntime().halt(1));
    }

    Worker(WorkerConfig config, Engine engine, MeterRegistry registry, Tracing tracing, Runnable end) {
        this.end = end;
        this.tracing = tracing;
        this.config = config;
        this.engine = engine;
        this.registry = registry;
        pace = new BeatPace(config.beatInterval());
        gate = gate(config.scheduling(), engine);
        draftsAtOnce = draftsAtOnce(config.drafts(), engine.describe());
        watchdog = new EngineWatchdog(
                Math.toIntExact(Math.max(1, config.engineSilence().dividedBy(config.beatInterval()))));
        busFault = new BusFault(config.bootstrapServers());
        refusals = new RefusedRecords(registry);
        keys = KeyRing.load(config.keysDir(), ServiceRole.WORKER, refusals);
        clients = BusAccount.clients(config.bootstrapServers(), config.keysDir(), ServiceRole.WORKER);
    }

    @PostConstruct
    void start() {
        // Without catching up: the beats of a process that stood still would count as so many of silence.
        timer.scheduleWithFixedDelay(this::tick, 0, config.beatInterval().toMillis(), TimeUnit.MILLISECONDS);
        timer.scheduleWithFixedDelay(jobs::tick, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            var running = parts;
            if (running == null) {
                running = begin();
                parts = running;
                busFault.passed();
                // Either this check detects the stop, or the stop finds the parts to end.
                if (stopping) {
                    return;
                }
                running.start();
            }
            beat(running);
            watchdog.look(jobs.attempts());
            endIfEngineFailed();
        } catch (KafkaException e) {
            busFault.failed(e);
        } catch (RuntimeException e) {
            LOG.error("beat failed", e);
        }
    }

    /// A broken engine stays broken: this process ends, which hands over what runs here, and its
    /// supervisor starts another.
    private void endIfEngineFailed() {
        if (engineFailed() && !ending) {
            ending = true;
            gate.close();
            LOG.error(
                    "engine failed, this worker ends detail={}",
                    watchdog.hangs() ? "hangs" : engine.health().detail());
            end.run();
        }
    }

    private Parts begin() {
        if (engine.describe().can(Ability.MASKS)) {
            Thread.ofPlatform().name("constraint-warm-up").daemon().start(Constraints::warmUp);
        }
        var model = modelName();
        var topic = ensureTopics(model);
        // Reads control records before the first job, so that no command about it is missed.
        var control = PollLoop.fromEnd(clients::tailReader, Topic.CONTROL, record -> jobs.obey(stopCommand(record)));
        var metrics = new WorkerMetrics(registry, engine, model);
        metrics.watch(gate);
        var times = new WorkerContext.Times(config.progressInterval(), config.reasoningLifetime());
        var context = new WorkerContext(engine, watchdog, keys, metrics, times, config.formTokensMax(), tracing);
        var bus = new WorkerBus(clients, jobs::claimed);
        var starter = new AttemptStarter(self, context, bus, jobs);
        var drafts = drafts(model, bus, metrics);
        var group = topic.replaceFirst("^jobs", "workers");
        var inbox = new InboxConsumer(topic, () -> clients.inboxReader(group), gate, new InboxConsumer.Taker() {
            @Override
            public void take(ConsumerRecord<String, byte[]> ticket, boolean isNew, CapacityGate.Permit permit) {
                starter.take(ticket, isNew, permit);
            }

            @Override
            public void draft(ConsumerRecord<String, byte[]> request) {
                drafts.answer(request, gate::tryAcquireSpare);
            }
        });
        LOG.info(
                "takes jobs model={} slots={} worker={}",
                model,
                engine.describe().slots(),
                self);
        return new Parts(
                bus,
                new HeartbeatPublisher(clients.promptProducer(), new BeatSigner(self, keys)),
                inbox,
                Thread.ofPlatform().name("inbox").daemon().unstarted(inbox),
                control,
                LostBus.watch(clients, () -> {}));
    }

    /// Makes the topics that are missing.
    ///
    /// @return the topic of which each partition is the inbox of one worker
    private String ensureTopics(String model) {
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            topics.ensureShared(Topic.FRAMES_PER_GATEWAY);
            return topics.ensureInbox(model, config.workersMax());
        }
    }

    private DraftAnswerer drafts(String model, WorkerBus bus, WorkerMetrics metrics) {
        var writer = new DraftWriter(engine, keys, metrics.masks());
        var counts = new DraftMetrics(registry, engine.describe().engine(), model);
        var limits = new DraftAnswerer.Limits(draftsAtOnce, () -> stopping);
        return new DraftAnswerer(keys, writer, counts, limits, bus::append);
    }

    /// None for the stand-in, which cannot choose meaningfully, and for a model that takes messages.
    private static int draftsAtOnce(WorkerConfig.Drafts drafts, EngineDescription description) {
        int atOnce = drafts.atOnce().orElse(description.engine().equals(STAND_IN) ? 0 : 1);
        if (atOnce < 0 || atOnce > DRAFTS_MAX) {
            throw new IllegalArgumentException("worker.drafts.at-once must be from 0 to " + DRAFTS_MAX);
        }
        return description.can(Ability.MESSAGES) ? 0 : atOnce;
    }

    /// @throws SealException when no gateway signed it
    private StopCommand stopCommand(ConsumerRecord<String, byte[]> record) {
        var signed = KafkaClients.body(record);
        return StopCommand.decode(keys.signatures().verified(SignedRecord.STOP_COMMAND, Topic.CONTROL, signed));
    }

    private static CapacityGate gate(WorkerConfig.Scheduling scheduling, Engine engine) {
        long memory = engine.describe().contextTokens();
        long asked = scheduling.usualTokens().orElse(1);
        if (asked < 1 || asked > memory) {
            throw new IllegalArgumentException(
                    "worker.scheduling.usual-tokens is %d; it must be from 1 to %d, the context memory"
                            .formatted(asked, memory));
        }
        // Asked anew each time: where the model runs in servers, the memory is theirs, and may become another.
        return new CapacityGate(engine, () -> usualTokens(scheduling, engine.describe()));
    }

    private static long usualTokens(WorkerConfig.Scheduling scheduling, EngineDescription description) {
        long perSlot = description.contextTokens() / description.slots();
        long usual = scheduling.usualTokens().orElse(Math.clamp(perSlot, 1, description.contextLength()));
        return Math.min(usual, description.contextTokens());
    }

    private synchronized void beat(Parts running) {
        var inbox = stopping ? List.<InboxPartition>of() : running.inbox.partitions();
        boolean idle = jobs.claimed() == 0;
        if (!pace.due(idle, inbox)) {
            return;
        }
        var description = engine.describe();
        var model = new Heartbeat.Model(
                modelName(),
                config.modelDescription().orElse(description.text()),
                description.contextLength(),
                description.slots(),
                gate.availablePermits(),
                abilities(description));
        long interval = pace.interval(idle).toMillis();
        long now = System.currentTimeMillis();
        running.heartbeats.publish(new Heartbeat(self, model, now, null, 0, inbox, interval, Frame.NEWEST_FORMAT));
    }

    private String modelName() {
        return config.modelName().orElseGet(() -> engine.describe().model());
    }

    private List<String> abilities(EngineDescription description) {
        var engines =
                description.abilities().stream().map(ability -> ability.name().toLowerCase(Locale.ROOT));
        return Stream.concat(engines, Stream.of(DraftRequest.ABILITY).limit(draftsAtOnce > 0 ? 1 : 0))
                .sorted()
                .toList();
    }

    /// True if this worker takes jobs, and the bus knows that it does: before its first heartbeat gateways would
    /// answer that no worker serves its model.
    boolean ready() {
        var running = parts;
        return running != null
                && running.heartbeats.wasHeard()
                && !running.inbox.partitions().isEmpty()
                && !stopping
                && !engineFailed();
    }

    private List<Misconfiguration> ofInbox() {
        var running = parts;
        return running == null || stopping || !running.inbox.lacksPartition(WITHOUT_INBOX_MAX)
                ? List.of()
                : List.of(new Misconfiguration(
                        "no-inbox",
                        "no partition of the model's topic is left for this worker, or its group does not answer;"
                                + " worker.workers-max is the most workers of a model"));
    }

    /// What is wrong with this worker's bus.
    List<MisconfigurationSource> ofBus() {
        return List.of(busFault, refusals, this::ofInbox);
    }

    /// True if the engine of this process has failed for good.
    boolean engineFailed() {
        return watchdog.broke(engine);
    }

    /// Waits until nothing runs here.
    ///
    /// @return whether the worker became idle in time
    boolean becomesIdle(Duration atMost) throws InterruptedException {
        return gate.awaitIdle(atMost);
    }

    void stop(@Observes @Priority(BEFORE_ANYTHING_STOPS) ShutdownEvent event) throws InterruptedException {
        stop();
    }

    /// Stops taking jobs, then hands over the running ones.
    void stop() throws InterruptedException {
        var running = parts;
        stopping = true;
        timer.shutdownNow();
        if (running == null) {
            return;
        }
        running.inbox.close();
        gate.close();
        beat(running); // no ticket for this inbox any more
        running.taking.join(HANDOVER_MAX);
        jobs.handOverAll();
        if (!becomesIdle(HANDOVER_MAX)) {
            LOG.warn("attempts={} left behind, others take them up", gate.heldPermits());
        }
        running.control.close();
        running.lostBus.close();
        running.bus.close(HANDOVER_MAX);
        running.heartbeats.leave();
        running.heartbeats.close(HANDOVER_MAX);
    }
}
