package dev.counterpoint.bus.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/// Creates the topics that a service needs. Every service does this at its start; who comes second finds them
/// there. Where there are three brokers or more, every topic has three copies, of which one may be away; a smaller
/// cluster decides for itself.
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
        ensureShared(framePartitions, Topic.FRAMES_RETENTION);
    }

    /// The same, with `frames` kept for so long where it is made now.
    public void ensureShared(int framePartitions, Duration framesRetention) {
        var kept = Long.toString(framesRetention.toMillis());
        Topic.shared(framePartitions)
                .map(topic ->
                        topic.name().equals(Topic.FRAMES) ? topic.with(TopicConfig.RETENTION_MS_CONFIG, kept) : topic)
                .forEach(this::ensure);
        grow(Topic.FRAMES, framePartitions);
    }

    /// Makes sure that the loss of a broker, a wrong clock or a long answer costs nothing, whoever made the topics.
    ///
    /// @param framesRetention how long `frames` has to keep a record at least
    /// @throws UnfitTopicException when it would, or a shared topic is missing
    public void requireFit(Duration framesRetention) {
        int brokers = brokers();
        var there = existing();
        requireAll(there.stream().map(ExistingTopic::name).collect(Collectors.toSet()));
        there.forEach(topic -> topic.requireFit(brokers, framesRetention));
    }

    /// @throws UnfitTopicException when a shared topic is none of these
    static void requireAll(Set<String> names) {
        Topic.shared(1)
                .map(Topic::name)
                .filter(name -> !names.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new UnfitTopicException(
                            UnfitTopicException.Reason.MISSING,
                            "topic " + name + " is not there; start a worker or a gateway, which makes it");
                });
    }

    /// Changes settings of topics that are there already, as far as that makes them fit. Only an administrator may.
    public void repair() {
        for (var topic : existing()) {
            var repairs = topic.repairs();
            if (!repairs.isEmpty()) {
                change(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()), repairs);
            }
        }
    }

    private int brokers() {
        return await(() -> admin.describeCluster().nodes().get()).size();
    }

    /// The shared topics that are there.
    private List<ExistingTopic> existing() {
        var shared = Topic.shared(1).map(Topic::name).collect(Collectors.toSet());
        var there = await(() -> admin.listTopics().names().get()).stream()
                .filter(shared::contains)
                .toList();
        var copies = await(() -> admin.describeTopics(there).allTopicNames().get());
        var resources = there.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        var configs = await(() -> admin.describeConfigs(resources).all().get());
        return resources.stream()
                .map(resource -> existing(
                        Objects.requireNonNull(copies.get(resource.name())),
                        Objects.requireNonNull(configs.get(resource))))
                .toList();
    }

    private static ExistingTopic existing(TopicDescription copies, Config config) {
        int replicas = copies.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        var settings = config.entries().stream()
                .filter(entry -> entry.value() != null)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
        return new ExistingTopic(copies.name(), replicas, settings);
    }

    /// Creates the topic of the inboxes of a model's workers.
    ///
    /// @param partitions at least so many: each worker needs one, and more are added, none are taken
    /// @return its name
    public String ensureInbox(String model, int partitions) {
        var topic = Topic.inbox(model, partitions);
        ensure(topic);
        grow(topic.name(), partitions);
        return topic.name();
    }

    private void change(ConfigResource resource, Map<String, String> settings) {
        var changes = new ArrayList<AlterConfigOp>();
        settings.forEach((name, value) ->
                changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
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
        boolean copied = brokers() >= Topic.REPLICAS;
        Optional<Short> copies = copied ? Optional.of((short) Topic.REPLICAS) : Optional.empty();
        var safe = copied
                ? topic.with(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(Topic.IN_SYNC_MIN))
                : topic;
        var wanted = new NewTopic(topic.name(), Optional.of(topic.partitions()), copies).configs(safe.settings());
        try {
            await(() -> admin.createTopics(List.of(wanted)).all().get());
        } catch (TopicExistsException e) {
            // Another service was first.
        }
        awaitPartitions(topic.name(), 1); // it may have been made with fewer than are wanted
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
