package dev.counterpoint.audit.fleet;

import dev.counterpoint.audit.ingest.InFlightRecords;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.servicekit.HeartbeatPublisher;
import dev.counterpoint.servicekit.LostBus;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports to the gateways every second that this service lives and how far it lags, so that they can refuse requests
/// that could not be audited.
@ApplicationScoped
class AuditHeartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(AuditHeartbeat.class);
    private static final long ANSWER_MILLIS_MAX = 2_000;

    private final String self = "audit-" + UUID.randomUUID();
    private final Admin admin;
    private final InFlightRecords pending;
    private final String group;
    private final HeartbeatPublisher heartbeats;
    private final LostBus lostBus;
    private final IngestLag lag = new IngestLag();
    /// Touched by one beat at a time.
    private volatile boolean silent;

    private final AtomicLong lagMillis = new AtomicLong();

    AuditHeartbeat(
            KafkaClients clients,
            Admin admin,
            InFlightRecords pending,
            MeterRegistry metrics,
            KeyRing keys,
            @ConfigProperty(name = "mp.messaging.incoming.audit.group.id") String group) {
        this.admin = admin;
        this.pending = pending;
        this.group = group;
        lostBus = LostBus.watch(clients, () -> {});
        heartbeats = new HeartbeatPublisher(clients.promptProducer(), new BeatSigner(self, keys));
        metrics.gauge("audit.lag.millis", lagMillis);
    }

    @PreDestroy
    void close() {
        lostBus.close();
        heartbeats.close(Duration.ZERO);
    }

    /// Not after the service stopped: the timer outlives this bean by a moment, and a beat would create a second bean.
    @Scheduled(
            every = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void beat() {
        try {
            long now = System.currentTimeMillis();
            var partitions = partitions();
            var ends = offsets(partitions, OffsetSpec.latest());
            long behind =
                    Math.max(lag.look(now, ends, stored(offsets(partitions, OffsetSpec.earliest()))), inHand(now));
            lagMillis.set(behind);
            heartbeats.publish(new Heartbeat(self, null, now, ServiceRole.AUDIT, behind));
            silent = false;
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            // Gateways take the silence for what it is.
            if (!silent) {
                LOG.warn("no beats until the bus answers cause={}", e.getClass().getSimpleName());
            }
            silent = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The age of the oldest record of `audit` that is not stored; endless while the bus does not answer.
    long lagMillis() {
        return silent ? Long.MAX_VALUE : lagMillis.get();
    }

    /// The age of a record that waits for the database; better than our samples if the record is older than
    /// this process.
    private long inHand(long now) {
        var oldest = pending.oldestMillis();
        return oldest.isEmpty() ? 0 : Math.max(0, now - oldest.getAsLong());
    }

    private List<Integer> partitions() throws ExecutionException, InterruptedException, TimeoutException {
        var described = answer(admin.describeTopics(List.of(Topic.AUDIT)).allTopicNames());
        return Objects.requireNonNull(described.get(Topic.AUDIT)).partitions().stream()
                .map(TopicPartitionInfo::partition)
                .toList();
    }

    private Map<Integer, Long> offsets(List<Integer> partitions, OffsetSpec which)
            throws ExecutionException, InterruptedException, TimeoutException {
        var wanted = partitions.stream().collect(Collectors.toMap(AuditHeartbeat::audit, _ -> which));
        Map<Integer, Long> offsets = new HashMap<>();
        answer(admin.listOffsets(wanted).all())
                .forEach((partition, found) -> offsets.put(partition.partition(), found.offset()));
        return offsets;
    }

    /// The group's next offset in each partition: its last position, or the partition's current beginning.
    private Map<Integer, Long> stored(Map<Integer, Long> begins)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<Integer, Long> stored = new HashMap<>(begins);
        AuditGroup.committed(admin, group, ANSWER_MILLIS_MAX)
                .forEach((partition, offset) -> stored.merge(partition.partition(), offset, Math::max));
        return stored;
    }

    private static <T> T answer(KafkaFuture<T> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }

    private static TopicPartition audit(int partition) {
        return new TopicPartition(Topic.AUDIT, partition);
    }
}
