package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// Every frame on the broker, by response. For one thread.
final class LogTail implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<String, byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<ResponseId, List<Frame>> logs = new LinkedHashMap<>();

    LogTail(KafkaClients clients) {
        consumer = clients.reader();
        partitions = consumer.partitionsFor(Topic.FRAMES).stream()
                .map(info -> new TopicPartition(Topic.FRAMES, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /// Reads on to what is there now.
    ///
    /// @return all so far, in the order of the log
    Map<ResponseId, List<Frame>> read() {
        var ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(at -> consumer.position(at) < ends.getOrDefault(at, 0L))) {
            for (var record : consumer.poll(POLL)) {
                var frame = Frame.decode(record.value());
                logs.computeIfAbsent(frame.response(), _ -> new ArrayList<>()).add(frame);
            }
        }
        return logs;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
