package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.audit.records.RecordEnding;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.servicekit.tracing.BusSpans;
import dev.counterpoint.servicekit.tracing.RequestSpan;
import dev.counterpoint.servicekit.tracing.Tracing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/// Stores the traces of opted-in responses, all that were polled in one transaction. They are acknowledged once
/// their rows are in the audit log.
@Startup
@ApplicationScoped
class TraceConsumer {
    private static final String PARTIAL = "partial";
    private static final String WHOLE = "whole";

    private final AuditIngest ingest;
    private final RecordStore records;
    private final Sequencer log;
    private final KeyRing keys;
    private final MeterRegistry metrics;
    private final Tracing tracing;

    TraceConsumer(
            AuditIngest ingest,
            RecordStore records,
            Sequencer log,
            KeyRing keys,
            MeterRegistry metrics,
            Tracing tracing) {
        this.log = log;
        this.tracing = tracing;
        this.ingest = ingest;
        this.records = records;
        this.keys = keys;
        this.metrics = metrics;
        // Told from the start as 0, so that the first is seen as a change.
        for (var kind : List.of(PARTIAL, WHOLE)) {
            stored(kind, true);
            stored(kind, false);
        }
    }

    @Incoming("audit")
    @Blocking
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    public CompletionStage<Void> take(Message<ConsumerRecords<String, byte[]>> message) {
        var polled = new ArrayList<ConsumerRecord<String, byte[]>>();
        message.getPayload().forEach(polled::add);
        var spans = polled.stream()
                .map(record -> BusSpans.processing(tracing, record, "store audit record"))
                .toList();
        try {
            ingest.take(polled, this::store, log::publish);
        } finally {
            spans.forEach(RequestSpan::end);
        }
        return message.ack();
    }

    private void store(List<byte[]> bodies) {
        var opened = bodies.parallelStream()
                .map(bytes -> TraceOpener.open(bytes, keys))
                .toList();
        var first = records.store(opened);
        for (var record : opened) {
            var kind = record.ending() instanceof RecordEnding.ByOwner ? PARTIAL : WHOLE;
            stored(kind, first.contains(record)).increment();
        }
    }

    /// @param first false for one that was there already
    private Counter stored(String kind, boolean first) {
        return metrics.counter("audit.records", "kind", kind, "first", Boolean.toString(first));
    }
}
