package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.servicekit.tracing.BusSpans;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import dev.counterpoint.servicekit.tracing.SpanAttribute;
import dev.counterpoint.servicekit.tracing.Tracing;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Begins the summary of a response from its frame 0.
///
/// @param preparers read the requests, each of which may be long
record SummaryStarter(KeyRing keys, SentenceSource.Factory sentences, Executor preparers, Tracing tracing) {
    /// @param trust that verified frame 0
    /// @param record of frame 0
    SummarizedResponse begin(LogTrust trust, Accepted accepted, ConsumerRecord<String, byte[]> record) {
        var run = new SummaryRun(trust, accepted, keys, sentences);
        return new SummarizedResponse(run, record.offset(), accepted.deadlineMillis(), preparers, span(trust, record));
    }

    private RequestSpan span(LogTrust trust, ConsumerRecord<String, byte[]> record) {
        return BusSpans.processing(tracing, record, "summarise")
                .with(SpanAttribute.RESPONSE_ID, trust.response().toString());
    }
}
