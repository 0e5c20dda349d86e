package dev.counterpoint.servicekit.tracing;

import dev.counterpoint.bus.tracing.TraceParent;
import dev.counterpoint.servicekit.tracing.RequestSpan.Side;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Spans of records on their way: whoever sends one names its span in the record's header, whoever takes it goes on
/// from there. The header stands beside what is signed, so nothing but a trace comes of it.
public final class BusSpans {
    private BusSpans() {}

    /// A record goes to its topic. The span is for the sender to end when the broker has it.
    ///
    /// @param work that the record belongs to
    public static RequestSpan sending(RequestSpan work, ProducerRecord<String, byte[]> record) {
        if (!work.recorded()) {
            return RequestSpan.NONE;
        }
        var span = described(work.child("send " + record.topic(), Side.PRODUCER), "send", record.topic());
        if (span.parent() instanceof TraceParent here) {
            here.addTo(record.headers());
        }
        return span;
    }

    /// A record is worked on; none where it is not traced.
    ///
    /// @param name of a few fixed words
    public static RequestSpan processing(Tracing tracing, ConsumerRecord<String, byte[]> record, String name) {
        if (!tracing.on()) {
            return RequestSpan.NONE;
        }
        var sent = tracing.of(TraceParent.of(record.headers()));
        return sent.recorded()
                ? described(sent.child(name, Side.CONSUMER), "process", record.topic())
                : RequestSpan.NONE;
    }

    private static RequestSpan described(RequestSpan span, String operation, String topic) {
        return span.with(SpanAttribute.MESSAGING_SYSTEM, "kafka")
                .with(SpanAttribute.MESSAGING_OPERATION, operation)
                .with(SpanAttribute.MESSAGING_DESTINATION, topic);
    }
}
