package dev.counterpoint.worker.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/// Reads a stretch of the log of one response. For one thread.
final class LogFetcher implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration READ_MAX = Duration.ofSeconds(10);

    private final KafkaConsumer<String, byte[]> consumer;

    LogFetcher(KafkaConsumer<String, byte[]> consumer) {
        this.consumer = consumer;
    }

    /// The response's frames from offset `first` to `last`, both included. Frames that nobody can read are left out, as
    /// every reader leaves them out.
    ///
    /// @throws KafkaException when the log cannot be read within some seconds
    List<Frame> fetch(ResponseId response, long first, long last) {
        var partition = new TopicPartition(Topic.FRAMES, response.partition());
        consumer.assign(List.of(partition));
        consumer.seek(partition, first);
        var key = response.toString();
        var frames = new ArrayList<Frame>();
        long until = System.nanoTime() + READ_MAX.toNanos();
        while (consumer.position(partition) <= last) {
            if (System.nanoTime() > until) {
                throw new TimeoutException("the log was not read in time");
            }
            for (var record : consumer.poll(POLL)) {
                if (record.offset() <= last && key.equals(record.key())) {
                    decode(record.value(), frames);
                }
            }
        }
        return frames;
    }

    private static void decode(byte[] bytes, List<Frame> frames) {
        try {
            frames.add(Frame.decode(bytes));
        } catch (MalformedMessageException e) {
            // Void for every reader alike.
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
