package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// Reads along on every topic of a suite from the beginning, as an attacker does who sees all of the bus. Tells the
/// suite's own records from those that the attacker wrote. Thread-safe.
final class BusTap implements AutoCloseable {
    /// Header of the attacker's records: which of them it is.
    static final String FORGED = "forged";

    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration TOPICS = Duration.ofSeconds(10);

    private final KafkaConsumer<String, byte[]> consumer;
    private final Map<String, List<ConsumerRecord<String, byte[]>>> genuine = new HashMap<>();
    private final Map<ResponseId, List<Frame>> logs = new HashMap<>();
    private final Set<String> forged = new TreeSet<>();
    private volatile boolean closed;

    /// @param clients that may read everything
    BusTap(KafkaClients clients) {
        consumer = clients.reader();
        var partitions = consumer.listTopics(TOPICS).entrySet().stream()
                .filter(topic ->
                        !topic.getKey().startsWith("__") && !topic.getKey().startsWith("planted-"))
                .flatMap(topic -> topic.getValue().stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Thread.ofPlatform().name("bus-tap").daemon().start(this::run);
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                consumer.poll(POLL).forEach(this::take);
            }
        }
    }

    private synchronized void take(ConsumerRecord<String, byte[]> record) {
        var header = record.headers().lastHeader(FORGED);
        if (header != null) {
            forged.add(new String(header.value(), StandardCharsets.UTF_8));
            return;
        }
        genuine.computeIfAbsent(record.topic(), _ -> new ArrayList<>()).add(record);
        if (record.topic().equals(Topic.FRAMES)) {
            var frame = Frame.decode(record);
            logs.computeIfAbsent(frame.response(), _ -> new ArrayList<>()).add(frame);
        }
    }

    /// The frames of a response so far.
    synchronized List<Frame> log(ResponseId response) {
        return List.copyOf(logs.getOrDefault(response, List.of()));
    }

    /// The frames of all responses so far.
    synchronized Map<ResponseId, List<Frame>> logs() {
        return logs.keySet().stream().collect(Collectors.toUnmodifiableMap(Function.identity(), this::log));
    }

    /// The newest records that the suite wrote on a topic.
    synchronized List<ConsumerRecord<String, byte[]>> newest(String topic, int most) {
        var all = genuine.getOrDefault(topic, List.of());
        return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
    }

    /// Topics that the suite wrote on.
    synchronized Set<String> topics() {
        return Set.copyOf(genuine.keySet());
    }

    /// How many records the suite wrote on a topic so far.
    synchronized int count(String topic) {
        return genuine.getOrDefault(topic, List.of()).size();
    }

    /// The last record of a topic that the suite wrote and that is as wanted.
    ///
    /// @throws AssertionError when there is none so far
    synchronized ConsumerRecord<String, byte[]> last(String topic, Predicate<ConsumerRecord<String, byte[]>> wanted) {
        return genuine.getOrDefault(topic, List.of()).reversed().stream()
                .filter(wanted)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such record on " + topic));
    }

    /// Whether a record of the attacker stands on the bus.
    synchronized boolean holds(String forgery) {
        return forged.contains(forgery);
    }

    /// Ends within a moment.
    @Override
    public void close() {
        closed = true;
    }
}
