package dev.counterpoint.bus.access;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.kafka.Topics;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/// Copies the topic `erasures` for a backup, and brings a copy back to a bus that lacks some of it. A line of a copy is
/// an erasure's id, a blank, and its entry in base64, which is sealed under the audit service's root keyset.
public final class ErasureCopy {
    private static final TopicPartition PARTITION = new TopicPartition(Topic.ERASURES, 0);
    private static final Duration POLL = Duration.ofMillis(500);

    private ErasureCopy() {}

    /// The lines of a copy, in the order of the log.
    ///
    /// @throws KafkaException when the broker does not answer or has no such topic
    public static List<String> lines(KafkaClients administrator) {
        return entries(administrator).entrySet().stream()
                .map(entry -> entry.getKey() + " " + Base64.getEncoder().encodeToString(entry.getValue()))
                .toList();
    }

    private static Map<String, byte[]> entries(KafkaClients administrator) {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (var consumer = administrator.historyReader()) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(PARTITION)).get(PARTITION));
            while (consumer.position(PARTITION) < end) {
                consumer.poll(POLL).forEach(record -> entries.put(record.key(), record.value()));
            }
        }
        return entries;
    }

    /// Appends what the bus lacks of a copy; makes the topic where it is not there.
    ///
    /// @return ids of what was appended
    /// @throws KafkaException when the broker does not answer
    /// @throws IllegalArgumentException when a line is none of a copy
    public static List<String> replay(KafkaClients administrator, Stream<String> lines) {
        try (var admin = administrator.admin()) {
            new Topics(admin).ensureShared(Topic.FRAMES_PER_GATEWAY);
        }
        var there = entries(administrator).keySet();
        var lacking = lines.map(ErasureCopy::record)
                .filter(record -> !there.contains(record.key()))
                .toList();
        try (var producer = administrator.patientProducer()) {
            for (var record : lacking) {
                producer.send(record).get();
            }
        } catch (ExecutionException failure) {
            throw new KafkaException("the bus does not take an erasure", failure.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while talking to the broker", e);
        }
        return lacking.stream().map(ProducerRecord::key).toList();
    }

    private static ProducerRecord<String, byte[]> record(String line) {
        var parts = line.split(" ", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("A line of the copy of erasures is not `id entry`.");
        }
        return new ProducerRecord<>(
                Topic.ERASURES, parts[0], Base64.getDecoder().decode(parts[1]));
    }
}
