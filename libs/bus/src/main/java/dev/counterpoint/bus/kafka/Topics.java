package dev.counterpoint.bus.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/// Creates the topics that a service needs. Every service does this at its start; who comes second finds them
/// there. Replication is the broker's default, so that a cluster decides for itself.
public final class Topics {
    private static final long VISIBLE_WITHIN_MILLIS = 10_000;
    private static final long LOOK_AGAIN_MILLIS = 20;

    private final Admin admin;

    public Topics(Admin admin) {
        this.admin = admin;
    }

    /// Creates every shared topic that is missing.
    ///
    /// @param framePartitions at least so many for `frames`: more are added, none are taken
    public void ensureShared(int framePartitions) {
        Topic.shared(framePartitions).forEach(this::ensure);
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

    /// Creates the queue of a model's isolated jobs.
    ///
    /// @return its name
    public String ensureIsolatedJobs(String model) {
        var topic = Topic.isolatedJobs(model);
        ensure(topic);
        return topic.name();
    }

    /// Sets up a share group that takes jobs: from the first one ever sent, with a bounded number of deliveries,
    /// after which a job goes to [Topic#DEAD_LETTERS]. So does one that a worker rejects. That topic has to be
    /// there.
    ///
    /// Two deliveries are the fewest that brokers allow: a job that kills whoever takes it, before the fence,
    /// takes no third worker with it.
    public void ensureShareGroup(String group) {
        var settings = Map.of(
                "share.auto.offset.reset", "earliest",
                "share.record.lock.duration.ms", "30000",
                "share.delivery.count.limit", "2",
                "errors.deadletterqueue.topic.name", Topic.DEAD_LETTERS,
                "errors.deadletterqueue.copy.record.enable", "true");
        var changes = new ArrayList<AlterConfigOp>();
        settings.forEach((name, value) ->
                changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
        var resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        await(() -> admin.incrementalAlterConfigs(Map.of(resource, List.copyOf(changes)))
                .all()
                .get());
    }

    /// The number of partitions that a topic has now.
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
        awaitPartitions(topic.name(), 1);
    }

    /// The controller answers before the brokers know a topic or its new partitions; who uses it meanwhile is
    /// refused.
    private void awaitPartitions(String topic, int wanted) {
        long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(VISIBLE_WITHIN_MILLIS);
        while (visiblePartitions(topic) < wanted) {
            if (System.nanoTime() > giveUp) {
                throw new KafkaException("topic " + topic + " did not appear within " + VISIBLE_WITHIN_MILLIS + " ms");
            }
            await(() -> {
                Thread.sleep(LOOK_AGAIN_MILLIS);
                return true;
            });
        }
    }

    private int visiblePartitions(String topic) {
        try {
            return partitions(topic);
        } catch (UnknownTopicOrPartitionException e) {
            return 0;
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
        awaitPartitions(topic, partitions);
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
