package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.tracing.TraceParent;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.servicekit.LogField;
import dev.counterpoint.servicekit.tracing.BusSpans;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import dev.counterpoint.servicekit.tracing.RequestSpan.Side;
import dev.counterpoint.servicekit.tracing.SpanAttribute;
import dev.counterpoint.servicekit.tracing.Tracing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/// The spans of one job in this worker: wait in the queue, start, prompt, generation and end. Does nothing for a
/// job without a trace. One thread at a time.
public final class AttemptSpans implements AutoCloseable {
    public static final AttemptSpans NONE = new AttemptSpans(RequestSpan.NONE, "");

    private final RequestSpan job;
    private final String response;
    private RequestSpan taking = RequestSpan.NONE;
    private RequestSpan generation = RequestSpan.NONE;
    private RequestSpan prefill = RequestSpan.NONE;

    private AttemptSpans(RequestSpan job, String response) {
        this.job = job;
        this.response = response;
    }

    /// @param record that a gateway signed
    public static AttemptSpans of(Tracing tracing, ConsumerRecord<String, byte[]> record, JobTicket ticket) {
        var job = BusSpans.processing(tracing, record, "process jobs");
        if (!job.recorded()) {
            return NONE;
        }
        var response = ticket.response().toString();
        job.with(SpanAttribute.RESPONSE_ID, response).with(SpanAttribute.ATTEMPT, ticket.attempt());
        job.child("queue wait", Side.NEITHER, record.timestamp()).end();
        var spans = new AttemptSpans(job, response);
        spans.taking = job.child("take job", Side.NEITHER);
        return spans;
    }

    /// The job was taken, or was not needed.
    public void taken(WorkerMetrics.Outcome outcome) {
        taking.end();
        if (outcome != WorkerMetrics.Outcome.RUN) {
            job.with(SpanAttribute.OUTCOME, WorkerMetrics.wireName(outcome));
        }
    }

    public void notTaken(Exception cause) {
        job.failed(cause.getClass().getSimpleName());
    }

    /// The calling thread runs the attempt: its log names the trace.
    AttemptSpans enter() {
        if (job.parent() instanceof TraceParent here) {
            LogField.TRACE_ID.put(here.traceId());
        }
        return this;
    }

    void generating(Engine engine) {
        if (!job.recorded()) {
            return;
        }
        var description = engine.describe();
        generation = job.child("chat", Side.CLIENT)
                .with(SpanAttribute.OPERATION, "chat")
                .with(SpanAttribute.PROVIDER, description.engine())
                .with(SpanAttribute.REQUEST_MODEL, description.model())
                .with(SpanAttribute.RESPONSE_ID, response);
        prefill = generation.child("prefill", Side.NEITHER);
    }

    void firstToken() {
        prefill.end();
    }

    /// The engine said its last.
    void generated(End end) {
        prefill.end();
        generation
                .with(SpanAttribute.FINISH_REASONS, WorkerMetrics.wireName(end.finish()))
                .with(SpanAttribute.INPUT_TOKENS, end.inputTokens())
                .with(SpanAttribute.CACHED_TOKENS, end.cachedTokens())
                .with(SpanAttribute.OUTPUT_TOKENS, end.outputTokens())
                .with(SpanAttribute.REASONING_TOKENS, end.reasoningTokens())
                .end();
    }

    /// A record of this attempt goes to its topic, and names its sending as what its reader goes on from.
    RequestSpan sending(ProducerRecord<String, byte[]> record) {
        return BusSpans.sending(job, record);
    }

    /// The attempt is over, however it ended, or there is none.
    @Override
    public void close() {
        taking.end();
        prefill.end();
        generation.end();
        job.end();
    }
}
