package dev.counterpoint.gateway.log.owner;

import static dev.counterpoint.gateway.log.owner.WorkerVoice.RESPONSE;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.log.follow.LogOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/// A partition that hands out its records in batches.
final class ReplayedLog extends MockConsumer<String, byte[]> implements LogOffsets {
    static final int BATCH = 10;
    private static final TopicPartition FRAMES = new TopicPartition(Topic.FRAMES, RESPONSE.partition());
    private final List<byte[]> records = new ArrayList<>();
    private long position;
    private int handedOut;
    volatile boolean away;

    ReplayedLog() {
        super("none");
    }

    void append(Frame frame) {
        append(frame.encode());
    }

    synchronized void append(byte[] value) {
        records.add(value);
    }

    synchronized int handedOut() {
        return handedOut;
    }

    private static @Nullable String key(byte[] value) {
        try {
            return Frame.decode(value).record().key();
        } catch (MalformedMessageException e) {
            return "none";
        }
    }

    synchronized ConsumerRecord<String, byte[]> record(int offset) {
        return new ConsumerRecord<>(
                FRAMES.topic(),
                FRAMES.partition(),
                offset,
                RESPONSE.acceptedAtMillis() + 1,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key(records.get(offset)),
                records.get(offset),
                new RecordHeaders(),
                Optional.empty());
    }

    @Override
    public synchronized void seek(TopicPartition partition, long offset) {
        position = offset;
    }

    @Override
    public synchronized long position(TopicPartition partition, Duration atMost) {
        return position;
    }

    @Override
    public synchronized ConsumerRecords<String, byte[]> poll(Duration atMost) {
        var some = new ArrayList<ConsumerRecord<String, byte[]>>();
        while (position < records.size() && some.size() < BATCH) {
            some.add(record(Math.toIntExact(position++)));
        }
        handedOut += some.size();
        return new ConsumerRecords<>(some.isEmpty() ? Map.of() : Map.of(FRAMES, some), Map.of());
    }

    @Override
    public synchronized long end(int partition) {
        if (away) {
            throw new TimeoutException("away");
        }
        return records.size();
    }

    @Override
    public synchronized OptionalLong since(int partition, long millis) {
        return records.isEmpty() ? OptionalLong.empty() : OptionalLong.of(0);
    }
}
