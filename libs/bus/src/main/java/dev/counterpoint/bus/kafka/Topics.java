package dev.counterpoint.bus.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;

/// Creates the topics that a service needs. Every service does this at its start; who comes second finds them there.
/// Replication is the broker's default, so that a cluster decides for itself.
public final class Topics {
    private final Admin admin;

    public Topics(Admin admin) {
        this.admin = admin;
    }

    /// Creates every shared topic that is missing.
    ///
    /// @param framePartitions at least so many for `frames`: more are added, none are taken
    public void ensureShared(int framePartitions) {
        Stream.of(Topic.frames(framePartitions), Topic.control(), Topic.models(), Topic.audit(), Topic.accessLog())
                .forEach(this::ensure);
        grow(Topic.FRAMES, framePartitions);
    }

    /// Creates the queue of a model.
    ///
    /// @return its name
    public String ensureJobs(String model, Topic.Band band) {
        var topic = Topic.jobs(model, band);
        ensure(topic);
        return topic.name();
    }

    /// Sets up a share group that takes jobs: from the first one ever sent, with a bounded number of deliveries.
    public void ensureShareGroup(String group) {
        var settings = Map.of(
                "share.auto.offset.reset", "earliest",
                "share.record.lock.duration.ms", "30000",
                "share.delivery.count.limit", "5");
        var changes = new ArrayList<AlterConfigOp>();
        settings.forEach((name, value) ->
                changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
        var resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        await(() -> admin.incrementalAlterConfigs(Map.of(resource, List.copyOf(changes)))
                .all()
                .get());
    }

    /// How many partitions a topic has now.
    public int partitions(String topic) {
        return await(() -> Objects.requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions()
                .size());
    }

    private void ensure(Topic topic) {
        var wanted =
                new NewTopic(topic.name(), Optional.of(topic.partitions()), Optional.empty()).configs(topic.settings());
        try {
            await(() -> admin.createTopics(List.of(wanted)).all().get());
        } catch (TopicExistsException e) {
            // Another service was first.
        }
    }

    private void grow(String topic, int partitions) {
        if (partitions(topic) >= partitions) {
            return;
        }
        try {
            await(() -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                    .all()
                    .get());
        } catch (InvalidPartitionsException e) {
            // Another gateway grew it meanwhile.
        }
    }

    private static <T> T await(Call<T> call) {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while talking to the broker", e);
        }
    }

    private interface Call<T> {
        T get() throws ExecutionException, InterruptedException;
    }
}
