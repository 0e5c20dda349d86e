package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/// Reads what is on a real bus, each time from the beginning.
record BusLog(KafkaClients clients, KeyRing keys) {
    /// All frames of a response, void ones included.
    List<Frame> frames(ResponseId response) {
        return records(Topic.FRAMES, response.partition()).stream()
                .map(record -> Frame.decode(record.value()))
                .filter(frame -> frame.response().equals(response))
                .toList();
    }

    List<FrameKind> kinds(ResponseId response) {
        return frames(response).stream().map(Frame::kind).toList();
    }

    /// The kinds of the frames that count.
    List<FrameKind> valid(ResponseId response) {
        var frames = frames(response);
        var log = new ResponseLog(Objects.requireNonNull(LogTrust.of(frames.getFirst(), keys)));
        return frames.stream()
                .filter(frame -> log.accept(frame) == ResponseLog.Verdict.VALID)
                .map(Frame::kind)
                .toList();
    }

    /// Numbers of the attempts of a response whose tickets were sent.
    List<Integer> queued(ResponseId response) {
        return records(Topic.inboxName(WorkerVoice.MODEL), -1).stream()
                .map(record -> JobTicket.decode(record.value()))
                .filter(ticket -> ticket.response().equals(response))
                .map(JobTicket::attempt)
                .toList();
    }

    /// The tickets of a response in a partition of the inboxes.
    List<JobTicket> inbox(ResponseId response, int partition) {
        return records(Topic.inboxName(WorkerVoice.MODEL), partition).stream()
                .map(record -> JobTicket.decode(record.value()))
                .filter(ticket -> ticket.response().equals(response))
                .toList();
    }

    /// @param partition -1 for all
    private List<ConsumerRecord<String, byte[]>> records(String topic, int partition) {
        var found = new ArrayList<ConsumerRecord<String, byte[]>>();
        try (var consumer = clients.historyReader()) {
            var at = consumer.partitionsFor(topic).stream()
                    .map(known -> new TopicPartition(topic, known.partition()))
                    .filter(known -> partition < 0 || known.partition() == partition)
                    .toList();
            consumer.assign(at);
            consumer.seekToBeginning(at);
            var ends = consumer.endOffsets(at);
            while (at.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
        }
        return found;
    }
}
