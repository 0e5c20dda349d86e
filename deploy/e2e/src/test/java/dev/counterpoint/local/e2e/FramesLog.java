package dev.counterpoint.local.e2e;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.testkit.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/// The topic `frames` from its beginning to where it ended when asked: what was decided, in the order that
/// counts. Several partitions are merged by the times of their records, each in its own order.
record FramesLog(List<Frame> frames) {
    private static final Duration POLL = Duration.ofMillis(200);

    static FramesLog read(String bootstrapServers) {
        try (var consumer = new KafkaClients(bootstrapServers, TestKafka.adminLogin()).reader()) {
            var partitions = consumer.partitionsFor(Topic.FRAMES).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            var read = new ArrayList<Timed>();
            var latest = new HashMap<Integer, Long>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var record : consumer.poll(POLL)) {
                    long at = latest.merge(record.partition(), record.timestamp(), Math::max);
                    read.add(new Timed(at, Frame.decode(record.value())));
                }
            }
            read.sort(Comparator.comparingLong(Timed::atMillis));
            return new FramesLog(read.stream().map(Timed::frame).toList());
        }
    }

    /// @param atMillis never less than of an earlier record of its partition
    private record Timed(long atMillis, Frame frame) {}

    long count(FrameKind kind) {
        return frames.stream().filter(frame -> frame.kind() == kind).count();
    }

    /// Position of a response's first frame of a kind; -1 when there is none.
    ///
    /// @param id as clients know it
    int position(String id, FrameKind kind) {
        for (int at = 0; at < frames.size(); at++) {
            var frame = frames.get(at);
            if (frame.kind() == kind && id.endsWith(frame.response().toString())) {
                return at;
            }
        }
        return -1;
    }

    /// How many frames of a kind stand between two positions.
    long count(FrameKind kind, int from, int to) {
        return frames.subList(from, to).stream()
                .filter(frame -> frame.kind() == kind)
                .count();
    }
}
