package dev.counterpoint.audit.fleet;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes stored records from the topic `audit`, because an erasure must not leave a second copy there. A record goes
/// once the group has committed its offset, which happens after the row's commit.
@ApplicationScoped
class TopicTrim {
    private static final Logger LOG = LoggerFactory.getLogger(TopicTrim.class);
    private static final long ANSWER_MILLIS_MAX = 5_000;

    private final Admin admin;
    private final String group;
    private final MeterRegistry metrics;
    /// By partition, the offset before which records were deleted; touched by one run at a time.
    private final Map<TopicPartition, Long> trimmed = new HashMap<>();

    TopicTrim(
            Admin admin,
            MeterRegistry metrics,
            @ConfigProperty(name = "mp.messaging.incoming.audit.group.id") String group) {
        this.admin = admin;
        this.metrics = metrics;
        this.group = group;
    }

    @Scheduled(
            every = "1s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void run() {
        try {
            trim();
        } catch (KafkaException | ExecutionException | TimeoutException e) {
            metrics.counter("audit.topic.trim.failures").increment();
            LOG.debug("topic not trimmed cause={}", e.getClass().getSimpleName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void trim() throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, RecordsToDelete> stored = new HashMap<>();
        AuditGroup.committed(admin, group, ANSWER_MILLIS_MAX).forEach((partition, offset) -> {
            if (offset > trimmed.getOrDefault(partition, 0L)) {
                stored.put(partition, RecordsToDelete.beforeOffset(offset));
            }
        });
        if (!stored.isEmpty()) {
            admin.deleteRecords(stored).all().get(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
            stored.forEach((partition, deleted) -> trimmed.put(partition, deleted.beforeOffset()));
        }
    }
}
