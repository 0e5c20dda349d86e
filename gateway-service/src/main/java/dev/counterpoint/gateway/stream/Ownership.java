package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.models.LiveFleet;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes this gateway the owner of partitions and keeps it so. It starts when bus and database answer, however late
/// that is, so a gateway that comes up first just is not ready yet.
@Startup
@ApplicationScoped
class Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    private static final Duration BUS_SILENCE_MAX = Duration.ofSeconds(3);
    private static final long BEAT_SECONDS = 1;
    private static final long STOP_SECONDS = 5;

    private final StreamConfig config;
    private final PartitionTable table;
    private final Clients clients;
    private final KeyRing keys;
    private final LiveFleet fleet;
    private final BeatLoop beats;
    private final Decisions decisions;
    private final Admission admission;
    private final DeadLetters deadLetters;
    private final Instance<Recovered> recovered;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("partition-owner").daemon().factory());
    private @Nullable Thread following;
    private boolean beating;
    private volatile @Nullable FollowLoop loop;
    private volatile int[] owned = {};

    @Inject
    Ownership(
            StreamConfig config,
            PartitionTable table,
            Clients clients,
            KeyRing keys,
            LiveFleet fleet,
            BeatLoop beats,
            Decisions decisions,
            Admission admission,
            DeadLetters deadLetters,
            Instance<Recovered> recovered) {
        this.config = config;
        this.table = table;
        this.clients = clients;
        this.keys = keys;
        this.fleet = fleet;
        this.beats = beats;
        this.decisions = decisions;
        this.admission = admission;
        this.deadLetters = deadLetters;
        this.recovered = recovered;
    }

    @PostConstruct
    void start() {
        timer.scheduleWithFixedDelay(this::tick, 0, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    private void tick() {
        try {
            var running = loop;
            if (running == null) {
                begin();
            } else {
                table.beat(config.id(), running.resumeOffsets());
            }
        } catch (SQLException e) {
            LOG.warn("partition table does not answer sqlState={}", e.getSQLState());
        } catch (KafkaException e) {
            LOG.warn("bus does not answer cause={}", e.getClass().getSimpleName());
        } catch (RuntimeException e) {
            LOG.error("ownership is retried", e);
        }
    }

    private void begin() throws SQLException {
        int partitions;
        try (var admin = clients.admin()) {
            var topics = new Topics(admin);
            topics.ensureShared(config.partitions());
            partitions = topics.partitions(Topic.FRAMES);
        }
        if (!beating) {
            beats.start(config.beatInterval());
            beating = true;
        }
        var from = claim(partitions);
        var setup = new FollowLoop.Setup(
                keys,
                fleet::ownBeats,
                config.mailboxCapacity(),
                new OwnerRules(config, fleet, decisions, admission, deadLetters, InstantSource.system()),
                admission,
                this::recover);
        var fresh = followLoop(setup, from);
        following = Thread.ofPlatform().name("follow-frames").daemon().start(fresh);
        owned = from.keySet().stream().mapToInt(Integer::intValue).toArray();
        loop = fresh;
        LOG.info("owns partitions count={} of={} id={}", owned.length, partitions, config.id());
    }

    private FollowLoop followLoop(FollowLoop.Setup setup, Map<Integer, Long> from) {
        var consumer = clients.reader();
        try {
            return new FollowLoop(setup, consumer, from);
        } catch (KafkaException e) {
            consumer.close();
            throw e;
        }
    }

    /// Takes what is ours, free or lapsed; adds partitions to the topic when that is too little.
    private Map<Integer, Long> claim(int partitions) throws SQLException {
        int wanted = config.partitions();
        var from = new HashMap<>(table.claim(config.id(), partitions, wanted, config.ownerLapse()));
        if (from.size() < wanted) {
            int more = partitions + wanted - from.size();
            try (var admin = clients.admin()) {
                new Topics(admin).ensureShared(more);
            }
            from.putAll(table.claim(config.id(), more, wanted, config.ownerLapse()));
        }
        return from;
    }

    /// A foreground response that is not stored was for a client that our predecessor held; nobody can read it now.
    private void recover(Followed response) {
        if (!response.accepted.stored()) {
            response.expected.settle();
            if (!response.accepted.background()) {
                response.expected.abandon();
            }
            return;
        }
        var echo = keys.open(response.accepted.echo(), BusGenerations.echoContext(response.id));
        recovered.forEach(takesUp -> takesUp.takeUp(generation(response), response.accepted, echo));
    }

    private Generations.Generation generation(Followed response) {
        return new FollowedGeneration(response.id, response.expected, response.accepted.background());
    }

    /// The loop to announce responses to; empty until this gateway owns partitions.
    Optional<FollowLoop> loop() {
        return Optional.ofNullable(loop);
    }

    /// One of our partitions, at random; empty until there are some.
    Optional<Integer> partition() {
        int[] some = owned;
        return some.length == 0
                ? Optional.empty()
                : Optional.of(some[ThreadLocalRandom.current().nextInt(some.length)]);
    }

    /// Whether the bus takes records and hands them out.
    boolean busAnswers() {
        return beats.busAnswers(BUS_SILENCE_MAX);
    }

    @PreDestroy
    void stop() {
        timer.shutdownNow();
        var running = loop;
        if (running == null || following == null) {
            return;
        }
        running.close();
        try {
            following.join(Duration.ofSeconds(STOP_SECONDS));
            table.release(config.id(), running.resumeOffsets());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            LOG.warn("partitions lapse instead of being released sqlState={}", e.getSQLState());
        }
    }
}
