package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// [EndOffsets] and [LogOffsets] of a real broker, and the connection that asks for them. Thread-safe.
@Singleton
public final class KafkaEndOffsets implements EndOffsets, LogOffsets {
    private static final Duration CLOSE = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final KafkaClients clients;
    private @Nullable Admin admin;

    public KafkaEndOffsets(KafkaClients clients) {
        this.clients = clients;
    }

    /// The connection, which is made when somebody asks.
    public synchronized Admin admin() {
        var talking = admin == null ? clients.admin() : admin;
        admin = talking;
        return talking;
    }

    @PreDestroy
    public synchronized void close() {
        if (admin != null) {
            admin.close(CLOSE);
        }
    }

    @Override
    public void ask(Set<Integer> partitions, Answer answer) {
        var asked = admin().listOffsets(offsets(partitions, OffsetSpec.latest()), options());
        for (int number : partitions) {
            asked.partitionResult(partition(number)).whenComplete((found, failure) -> {
                if (failure == null) {
                    answer.ends(number, found.offset());
                } else {
                    answer.failed(number);
                }
            });
        }
    }

    /// The stretch of each partition that an owner has to read. Waits for the broker.
    ///
    /// @param resume for each partition from where its former owner says
    /// @throws KafkaException when the broker does not answer in time
    public Map<Integer, FollowedPartition.Stretch> stretches(Map<Integer, Long> resume) {
        var beginnings = await(resume.keySet(), OffsetSpec.earliest());
        var ends = await(resume.keySet(), OffsetSpec.latest());
        var stretches = new HashMap<Integer, FollowedPartition.Stretch>();
        resume.forEach((number, from) -> stretches.put(
                number,
                FollowedPartition.Stretch.of(
                        from, beginnings.getOrDefault(number, 0L), ends.getOrDefault(number, 0L))));
        return stretches;
    }

    @Override
    public long end(int partition) {
        return await(List.of(partition), OffsetSpec.latest()).getOrDefault(partition, 0L);
    }

    @Override
    public OptionalLong since(int partition, long millis) {
        long offset = await(List.of(partition), OffsetSpec.forTimestamp(millis)).getOrDefault(partition, -1L);
        return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    private Map<Integer, Long> await(Collection<Integer> partitions, OffsetSpec which) {
        try {
            return admin().listOffsets(offsets(partitions, which), options()).all().get().entrySet().stream()
                    .collect(Collectors.toMap(
                            found -> found.getKey().partition(),
                            found -> found.getValue().offset()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while talking to the broker", e);
        }
    }

    private static Map<TopicPartition, OffsetSpec> offsets(Collection<Integer> partitions, OffsetSpec which) {
        return partitions.stream()
                .map(KafkaEndOffsets::partition)
                .collect(Collectors.toMap(Function.identity(), _ -> which));
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topic.FRAMES, number);
    }

    private static ListOffsetsOptions options() {
        var options = new ListOffsetsOptions();
        return options.timeoutMs(Math.toIntExact(TIMEOUT.toMillis()));
    }
}
