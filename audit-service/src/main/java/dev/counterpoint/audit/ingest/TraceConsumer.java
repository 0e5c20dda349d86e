package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.records.RecordEnding;
import dev.counterpoint.audit.records.RecordStore;
import dev.counterpoint.bus.seal.KeyRing;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/// Stores the traces of opted-in responses. A record is acknowledged after its row is committed.
@ApplicationScoped
class TraceConsumer {
    private final AuditIngest ingest;
    private final RecordStore records;
    private final KeyRing keys;
    private final MeterRegistry metrics;

    @Inject
    TraceConsumer(AuditIngest ingest, RecordStore records, KeyRing keys, MeterRegistry metrics) {
        this.ingest = ingest;
        this.records = records;
        this.keys = keys;
        this.metrics = metrics;
    }

    @Incoming("audit")
    @Blocking
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    public CompletionStage<Void> take(Message<ConsumerRecord<String, byte[]>> message) {
        ingest.take(message.getPayload(), this::store);
        return message.ack();
    }

    private void store(byte[] bytes) {
        var record = TraceOpener.open(bytes, keys);
        boolean first = records.store(record);
        var kind = record.ending() instanceof RecordEnding.ByOwner ? "partial" : "whole";
        metrics.counter("audit.records", "kind", kind, "first", Boolean.toString(first))
                .increment();
    }
}
