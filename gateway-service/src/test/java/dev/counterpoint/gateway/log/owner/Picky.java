package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// A producer that loses some records, and acknowledges the others at once onto a bus.
final class Picky extends MockProducer<String, byte[]> {
    private final Appended bus;
    private final Predicate<String> takes;

    /// @param takes asked with the kind of a frame, `ticket` or `control`
    Picky(Appended bus, Predicate<String> takes) {
        super(true, null, new StringSerializer(), new ByteArraySerializer());
        this.bus = bus;
        this.takes = takes;
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
        return send(record, null);
    }

    @Override
    public synchronized Future<RecordMetadata> send(
            ProducerRecord<String, byte[]> record, @Nullable Callback callback) {
        if (!takes.test(kind(record))) {
            var lost = new TimeoutException("lost");
            if (callback != null) {
                callback.onCompletion(null, lost);
            }
            return CompletableFuture.failedFuture(lost);
        }
        var appended = callback == null ? bus.producer.send(record) : bus.producer.send(record, callback);
        bus.acknowledgeAll();
        return appended;
    }

    private static String kind(ProducerRecord<String, byte[]> record) {
        return switch (record.topic()) {
            case Topic.FRAMES -> Frame.decode(record.value()).kind().name();
            case Topic.CONTROL -> "control";
            default -> "ticket";
        };
    }
}
