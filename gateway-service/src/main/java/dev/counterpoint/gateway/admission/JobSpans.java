package dev.counterpoint.gateway.admission;

import dev.counterpoint.bus.tracing.TraceParent;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import dev.counterpoint.servicekit.tracing.RequestSpan.Side;
import dev.counterpoint.servicekit.tracing.SpanAttribute;
import org.apache.kafka.clients.producer.ProducerRecord;

/// What a trace tells of the way of a request's jobs to their queue.
///
/// @param request the trace's span that the jobs belong to
/// @param sinceMillis when the first job began to wait for its turn, in milliseconds since 1970
public record JobSpans(RequestSpan request, long sinceMillis) {
    public static final JobSpans NONE = new JobSpans(RequestSpan.NONE, 0);

    /// The job waited for its turn, and goes to its queue with this record. Ends when the broker has it.
    public RequestSpan sending(ProducerRecord<String, byte[]> record, int attempt) {
        if (!request.recorded()) {
            return RequestSpan.NONE;
        }
        if (attempt == 1) {
            request.child("admission wait", Side.NEITHER, sinceMillis).end();
        }
        return sending(request, record).with(SpanAttribute.ATTEMPT, attempt);
    }

    /// A record of the request goes to its topic, and names its sending as what its reader goes on from.
    public static RequestSpan sending(RequestSpan request, ProducerRecord<String, byte[]> record) {
        if (!request.recorded()) {
            return RequestSpan.NONE;
        }
        var sending = request.child("send " + record.topic(), Side.PRODUCER)
                .with(SpanAttribute.MESSAGING_SYSTEM, "kafka")
                .with(SpanAttribute.MESSAGING_OPERATION, "send")
                .with(SpanAttribute.MESSAGING_DESTINATION, record.topic());
        if (sending.parent() instanceof TraceParent here) {
            here.addTo(record.headers());
        }
        return sending;
    }
}
