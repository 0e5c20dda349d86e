package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.records.RecordEnding;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.servicekit.tracing.BusSpans;
import dev.counterpoint.servicekit.tracing.Tracing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/// Stores the traces of opted-in responses. A record is acknowledged after its row is committed.
@Startup
@ApplicationScoped
class TraceConsumer {
    private static final String PARTIAL = "partial";
    private static final String WHOLE = "whole";

    private final AuditIngest ingest;
    private final RecordStore records;
    private final KeyRing keys;
    private final MeterRegistry metrics;
    private final Tracing tracing;

    TraceConsumer(AuditIngest ingest, RecordStore records, KeyRing keys, MeterRegistry metrics, Tracing tracing) {
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
    public CompletionStage<Void> take(Message<ConsumerRecord<String, byte[]>> message) {
        var record = message.getPayload();
        var span = BusSpans.processing(tracing, record, "store audit record");
        try {
            ingest.take(record, this::store);
        } finally {
            span.end();
        }
        return message.ack();
    }

    private void store(byte[] bytes) {
        var record = TraceOpener.open(bytes, keys);
        boolean first = records.store(record);
        var kind = record.ending() instanceof RecordEnding.ByOwner ? PARTIAL : WHOLE;
        stored(kind, first).increment();
    }

    /// @param first false for one that was there already
    private Counter stored(String kind, boolean first) {
        return metrics.counter("audit.records", "kind", kind, "first", Boolean.toString(first));
    }
}
