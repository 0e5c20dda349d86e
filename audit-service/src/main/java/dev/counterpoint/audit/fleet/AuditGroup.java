package dev.counterpoint.audit.fleet;

import dev.counterpoint.bus.kafka.Topic;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/// The consumer group of this service's replicas on the topic `audit`.
final class AuditGroup {
    private AuditGroup() {}

    /// The group's next offset in each partition; everything before it is stored. Partitions that the group has not
    /// begun are absent.
    static Map<TopicPartition, Long> committed(Admin admin, String group, long answerMillisMax)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, Long> committed = new HashMap<>();
        admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(answerMillisMax, TimeUnit.MILLISECONDS)
                .forEach((partition, at) -> {
                    if (at != null && partition.topic().equals(Topic.AUDIT)) {
                        committed.put(partition, at.offset());
                    }
                });
        return committed;
    }
}
