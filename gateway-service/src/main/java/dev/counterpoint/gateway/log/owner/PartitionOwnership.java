package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import dev.counterpoint.gateway.log.follow.KafkaEndOffsets;
import dev.counterpoint.gateway.log.follow.LogConsumer;
import dev.counterpoint.gateway.recovery.StretchReader;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.servicekit.BusFault;
import dev.counterpoint.servicekit.LostBus;
import dev.counterpoint.servicekit.Misconfiguration;
import dev.counterpoint.servicekit.MisconfigurationSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes this gateway the owner of partitions and keeps it so. It starts when bus and database answer, however late
/// that is, so a gateway that comes up first just is not ready yet.
///
/// Every gateway owns an equal share, rounded up: one with less takes what is free or lapsed, one with more gives
/// back, so that partitions of a gateway that died are adopted within a lapse, and one that comes back gets its
/// share again. A gateway whose bus does not answer lets its partitions lapse.
@Startup
@ApplicationScoped
class PartitionOwnership implements MisconfigurationSource {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionOwnership.class);
    private static final Duration BUS_SILENCE_MAX = Duration.ofSeconds(3);
    private static final long BEAT_MILLIS = 500;
    private static final long STOP_SECONDS = 5;
    private static final int RIGHT_AFTER_THE_DRAIN = 2;
    /// Partitions claimed in one tick, so that of several gateways that come back at once each finds its share.
    private static final int CLAIMS_MAX = 8;
    /// So old is no heartbeat but that of a partition that was released.
    private static final Duration NEVER = Duration.ofDays(36_500);

    private final LogConfig config;
    private final PartitionTable table;
    private final KafkaClients clients;
    private final FleetMembership fleet;
    private final HeartbeatLoop beats;
    private final FollowedResponses responses;
    private final StretchReader stretches;
    private final KafkaEndOffsets offsets;
    private final BusFault bus;
    /// Reads what was there before a partition became ours, apart from the streams that run.
    private final ExecutorService adopting = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("adopt-frames").daemon().factory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("partition-owner").daemon().factory());
    private @Nullable Thread following;
    private @Nullable LostBus lostBus;
    private boolean beating;
    /// When we last could not say that we live; others may have been as unable, so what is theirs has not lapsed yet.
    private long awayAtNanos = System.nanoTime() - Duration.ofHours(1).toNanos();
    /// When we began to write our last heartbeat that is on record.
    private @Nullable Long beganAtNanos;
    private volatile @Nullable LogConsumer loop;

    PartitionOwnership(
            LogConfig config,
            PartitionTable table,
            KafkaClients clients,
            FleetMembership fleet,
            HeartbeatLoop beats,
            FollowedResponses responses,
            StretchReader stretches,
            KafkaEndOffsets offsets) {
        this.config = config;
        this.table = table;
        this.clients = clients;
        this.fleet = fleet;
        this.beats = beats;
        this.responses = responses;
        this.stretches = stretches;
        this.offsets = offsets;
        bus = new BusFault(config.bootstrapServers());
    }

    @PostConstruct
    void start() {
        timer.scheduleWithFixedDelay(this::tick, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            var running = loop == null ? begin() : loop;
            bus.passed();
            if (busAnswers()) {
                keep(running);
            }
        } catch (Sql.FailedException e) {
            awayAtNanos = System.nanoTime();
            LOG.warn("partition table does not answer sqlState={}", e.sqlState());
        } catch (KafkaException e) {
            bus.failed(e);
        } catch (RuntimeException e) {
            LOG.error("ownership is retried", e);
        }
    }

    private LogConsumer begin() {
        var topics = new Topics(offsets.admin());
        topics.ensureShared(config.partitions(), framesRetention());
        topics.requireFit(framesRetention());
        topics.ensureShared(table.list(topics.partitions(Topic.FRAMES)), framesRetention());
        if (!beating) {
            beats.start(config.beatInterval());
            beating = true;
        }
        var fresh = new LogConsumer(responses, offsets, fleet::ownBeats, clients.reader());
        following = Thread.ofPlatform().name("follow-frames").daemon().start(fresh);
        loop = fresh;
        lostBus = LostBus.watch(clients, fresh::lose);
        return fresh;
    }

    private Duration framesRetention() {
        return Topic.framesRetention(config.deadline(), config.replayWindow());
    }

    /// A gateway that was away only says that it is back: the others get time to say so too.
    private void keep(LogConsumer running) {
        long beginning = System.nanoTime();
        var beaten = beat(running);
        if (wasAway(beginning)) {
            return;
        }
        var standing = grown(beaten);
        giveBack(running, standing.share());
        adopt(running, standing.share());
    }

    /// Whether bus or database did not answer before this heartbeat or during it, or this process stood still. A
    /// heartbeat may hang for long and succeed, and then the others' hung as long.
    private boolean wasAway(long beginning) {
        long now = System.nanoTime();
        long since = beganAtNanos == null ? beginning : beganAtNanos;
        beganAtNanos = beginning;
        boolean away = now - since > config.ownerLapse().toNanos() / 2;
        if (away) {
            awayAtNanos = now;
        }
        return away;
    }

    private PartitionTable.Standing beat(LogConsumer running) {
        var ours = running.resumeOffsets();
        var standing = table.beat(config.id(), ours, config.ownerLapse());
        var lost = new HashSet<>(ours.keySet());
        lost.removeAll(standing.kept());
        if (!lost.isEmpty()) {
            running.letGo(lost);
            LOG.warn("partitions are another gateway's now count={} id={}", lost.size(), config.id());
        }
        return standing;
    }

    /// Adds partitions where the shares would be too small.
    private PartitionTable.Standing grown(PartitionTable.Standing standing) {
        int wanted = config.partitions() * standing.gateways();
        if (standing.partitions() >= wanted) {
            return standing;
        }
        var topics = new Topics(offsets.admin());
        topics.ensureShared(wanted, framesRetention());
        int there = topics.partitions(Topic.FRAMES);
        table.list(there);
        return new PartitionTable.Standing(standing.kept(), standing.gateways(), there);
    }

    /// What is more than our share goes to gateways with less, and first of it what nobody uses.
    private void giveBack(LogConsumer running, int share) {
        var ours = running.resumeOffsets();
        int surplus = ours.size() - share;
        if (surplus <= 0) {
            return;
        }
        var busy = running.busy();
        var given = ours.keySet().stream()
                .sorted((a, b) -> Boolean.compare(busy.contains(a), busy.contains(b)))
                .limit(surplus)
                .toList();
        hand(running, given);
        LOG.info("gave back partitions count={} left={} id={}", given.size(), share, config.id());
    }

    private void hand(LogConsumer running, List<Integer> given) {
        var resume = new HashMap<>(running.resumeOffsets());
        resume.keySet().retainAll(given);
        running.letGo(Set.copyOf(given));
        table.release(config.id(), resume);
    }

    private void adopt(LogConsumer running, int share) {
        var ours = running.resumeOffsets().keySet();
        int lacking = Math.min(share - ours.size(), CLAIMS_MAX);
        if (lacking <= 0) {
            return;
        }
        boolean steady = System.nanoTime() - awayAtNanos >= config.ownerLapse().toNanos();
        var claimed = table.claim(config.id(), ours, lacking, steady ? config.ownerLapse() : NEVER);
        if (claimed.isEmpty()) {
            return;
        }
        takeUp(running, claimed);
        LOG.info("owns partitions count={} more={} id={}", ours.size() + claimed.size(), claimed.size(), config.id());
    }

    /// What cannot be taken up now is given back at once, so that whoever can does.
    private void takeUp(LogConsumer running, Map<Integer, Long> claimed) {
        boolean taken = false;
        try {
            var whole = offsets.stretches(claimed);
            running.claim(whole);
            taken = true;
            whole.forEach((number, stretch) ->
                    adopting.execute(() -> running.follow(number, stretch, stretches.left(number, stretch))));
        } finally {
            if (!taken) {
                table.release(config.id(), claimed);
            }
        }
    }

    /// This process, as its beats name it.
    String incarnation() {
        return fleet.self();
    }

    /// The newest format of frames that all services read.
    int frameFormat() {
        return fleet.frameFormat();
    }

    /// The loop to announce responses to; empty until bus and database answered.
    Optional<LogConsumer> loop() {
        return Optional.ofNullable(loop);
    }

    /// Where a new response goes; empty until we have a partition.
    Optional<Integer> partition() {
        return loop().flatMap(LogConsumer::place);
    }

    @Override
    public List<Misconfiguration> misconfigurations() {
        return bus.misconfigurations();
    }

    /// True if the bus takes records and hands them out.
    boolean busAnswers() {
        return beats.busAnswers(BUS_SILENCE_MAX);
    }

    /// Hands over: what still runs in the background is another gateway's within a moment.
    void stop(@Observes @Priority(RIGHT_AFTER_THE_DRAIN) ShutdownEvent stop) {
        timer.shutdownNow();
        adopting.shutdownNow();
        try {
            if (!timer.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the last heartbeat is still under way");
            }
            var running = loop;
            if (running != null) {
                release(running);
                running.close();
            }
            if (lostBus != null) {
                lostBus.close();
            }
            if (following != null) {
                following.join(Duration.ofSeconds(STOP_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        beats.leave();
    }

    private void release(LogConsumer running) {
        try {
            table.release(config.id(), running.resumeOffsets());
            table.leave(config.id());
        } catch (Sql.FailedException e) {
            LOG.warn("partitions lapse instead of being released sqlState={}", e.sqlState());
        }
    }
}
