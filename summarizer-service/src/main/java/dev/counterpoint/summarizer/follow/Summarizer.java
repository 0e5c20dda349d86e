package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.servicekit.BusFault;
import dev.counterpoint.servicekit.HeartbeatPublisher;
import dev.counterpoint.servicekit.LostBus;
import dev.counterpoint.servicekit.Misconfiguration;
import dev.counterpoint.servicekit.MisconfigurationSource;
import dev.counterpoint.servicekit.RefusedRecords;
import dev.counterpoint.servicekit.tracing.Tracing;
import dev.counterpoint.summarizer.SummarizerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One summarizer process: starts when the bus answers, sends heartbeats, restarts its loop if that ends, and
/// leaves its group on shutdown. It does not start without its keys.
@Startup
@ApplicationScoped
public class Summarizer implements MisconfigurationSource {
    private static final Logger LOG = LoggerFactory.getLogger(Summarizer.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int BEFORE_ANYTHING_STOPS = 1;
    private static final Duration STOP_MAX = Duration.ofSeconds(3);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final SummarizerConfig config;
    private final SentenceSource.Factory sentences;
    private final KeyRing keys;
    private final BeatSigner signer;
    private final KafkaClients clients;
    private final BusFault bus;
    private final RefusedRecords refusals;
    private final SummarizerMetrics metrics;
    private final Tracing tracing;
    private final String self = "summarizer-" + UUID.randomUUID();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("summarizer-beat").daemon().factory());
    private final ExecutorService preparers = Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().name("summarizer-prepare").daemon().factory());
    private volatile @Nullable Parts parts;
    private volatile @Nullable LostBus lostBus;
    private volatile boolean stopping;

    private record Parts(
            HeartbeatPublisher heartbeats,
            SummaryConsumer loop,
            Thread thread,
            @Nullable BusDrafts drafts) {
        void endDrafts() {
            if (drafts != null) {
                drafts.close();
            }
        }
    }

    @Inject
    Summarizer(SummarizerConfig config, SentenceSource.Factory sentences, MeterRegistry registry, Tracing tracing) {
        this.tracing = tracing;
        this.config = config;
        this.sentences = sentences;
        bus = new BusFault(config.bootstrapServers());
        refusals = new RefusedRecords(registry);
        keys = KeyRing.load(config.keysDir(), ServiceRole.SUMMARIZER, refusals);
        signer = new BeatSigner(self, keys);
        clients = BusAccount.clients(config.bootstrapServers(), config.keysDir(), ServiceRole.SUMMARIZER);
        metrics = new SummarizerMetrics(registry);
        metrics.watch(this::following, this::lagMillis);
    }

    @PostConstruct
    void start() {
        preparers.execute(this::warmUp);
        timer.scheduleAtFixedRate(this::tick, 0, config.beatInterval().toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Loads the classes of the first use, so that the first response does not wait for them.
    private void warmUp() {
        var text = sentences.begin(new SummaryJob(SummaryJob.Detail.AUTO, List.of("A prompt."), "A question."));
        text.accept("One plain sentence. Another one.", 0);
        text.endMessage(0);
    }

    private void tick() {
        try {
            var running = parts;
            if (running == null) {
                parts = begin();
            } else if (running.loop.ended()) {
                LOG.error("the loop ended and is started again");
                running.heartbeats.close(Duration.ZERO);
                running.endDrafts();
                parts = begin();
            } else if (running.loop.joined()) {
                beat(running);
            }
            bus.passed();
        } catch (KafkaException e) {
            bus.failed(e);
        } catch (RuntimeException e) {
            LOG.error("beat failed", e);
        }
    }

    private Parts begin() {
        try (var admin = clients.admin()) {
            new Topics(admin).ensureShared(Topic.FRAMES_PER_GATEWAY);
        }
        var producer = clients.promptProducer();
        boolean asks = config.described().byModel() || config.written().allowed();
        var drafts = asks ? new BusDrafts(keys, producer, clients, metrics) : null;
        var round = new DraftRound(
                drafts == null ? DraftDesk.NONE : drafts,
                config.written().inFlightMax(),
                () -> System.nanoTime() / NANOS_PER_MILLI);
        var loop = new SummaryConsumer(
                new SummaryStarter(keys, sentences, preparers, tracing),
                new SummaryConsumer.Limits(config.tidyInterval(), config.followedMax()),
                metrics,
                clients.groupReader(config.group()),
                new SummaryConsumer.Writes(new SummaryPublisher(producer, keys.signatures()), round));
        var thread = Thread.ofPlatform().name("summarizer-follow").daemon().start(loop);
        LOG.info("follows responses group={} summarizer={}", config.group(), self);
        if (drafts != null) {
            Thread.ofPlatform().name("summarizer-drafts").daemon().start(drafts);
        }
        if (lostBus == null) {
            lostBus = LostBus.watch(clients, () -> {});
        }
        return new Parts(new HeartbeatPublisher(producer, signer), loop, thread, drafts);
    }

    private void beat(Parts running) {
        long now = System.currentTimeMillis();
        running.heartbeats.publish(new Heartbeat(self, null, now, ServiceRole.SUMMARIZER, running.loop.lagMillis()));
    }

    private int following() {
        var running = parts;
        return running == null ? 0 : running.loop.following();
    }

    private long lagMillis() {
        var running = parts;
        return running == null ? 0 : running.loop.lagMillis();
    }

    /// True if this replica takes part in following responses.
    boolean follows() {
        var running = parts;
        return running != null && !stopping && running.loop.joined();
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        return Stream.of(bus, refusals)
                .flatMap(source -> source.misconfigurations().stream())
                .toList();
    }

    boolean asks(String model) {
        var running = parts;
        return running != null && running.drafts != null && running.drafts.asks(model);
    }

    /// True if the bus took a beat lately.
    boolean busAnswers() {
        var running = parts;
        return running != null && running.heartbeats.busAnswers(ANSWER_MAX);
    }

    void stop(@Observes @Priority(BEFORE_ANYTHING_STOPS) ShutdownEvent event) throws InterruptedException {
        stop();
    }

    /// Leaves its responses to other replicas, which continue after the last part in the log.
    void stop() throws InterruptedException {
        stopping = true;
        timer.shutdownNow();
        timer.awaitTermination(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        var running = parts;
        if (running != null) {
            leave(running);
        }
        if (lostBus != null) {
            lostBus.close();
        }
        preparers.shutdownNow();
    }

    private void leave(Parts running) throws InterruptedException {
        running.loop.close();
        running.endDrafts();
        running.thread.join(STOP_MAX);
        running.heartbeats.leave();
        running.heartbeats.close(STOP_MAX);
    }
}
