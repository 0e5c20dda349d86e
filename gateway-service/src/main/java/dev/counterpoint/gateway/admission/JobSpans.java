package dev.counterpoint.gateway.admission;

import dev.counterpoint.servicekit.tracing.BusSpans;
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
        return BusSpans.sending(request, record).with(SpanAttribute.ATTEMPT, attempt);
    }
}
