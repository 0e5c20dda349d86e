package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.seal.Signatures;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/// Appends summary frames without waiting for the broker, and remembers of which responses one got lost. One thread
/// appends; the broker's answers come on another.
final class SummaryPublisher {
    private final Producer<String, byte[]> producer;
    private final Signatures signatures;
    private final Queue<ResponseId> lost = new ConcurrentLinkedQueue<>();

    SummaryPublisher(Producer<String, byte[]> producer, Signatures signatures) {
        this.producer = producer;
        this.signatures = signatures;
    }

    /// Appends the frames of one response in this order, up to one that the producer does not take.
    void append(List<SummaryPositions.Due> frames) {
        for (var due : frames) {
            var frame = due.frame().kind() == FrameKind.SUMMARY_END ? signatures.sign(due.frame()) : due.frame();
            var response = frame.response();
            try {
                producer.send(frame.record(), (_, failure) -> {
                    if (failure != null) {
                        lost.add(response);
                    }
                });
            } catch (KafkaException e) {
                lost.add(response);
                return;
            }
        }
    }

    /// The responses of which a frame got lost since the last call.
    Set<ResponseId> lost() {
        var responses = new HashSet<ResponseId>();
        for (var response = lost.poll(); response != null; response = lost.poll()) {
            responses.add(response);
        }
        return responses;
    }
}
