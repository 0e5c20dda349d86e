package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.audit.records.ClosingStore;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.audit.Closing;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.MalformedMessageException;
import io.quarkus.narayana.jta.QuarkusTransaction;
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

/// Stores the gateways' entries: readings of raw reasoning, ends of opted-in responses, tenants' consents. Each poll is
/// stored in one transaction and acknowledged once it is in the audit log.
@ApplicationScoped
class AccessLogConsumer {
    private final AuditIngest ingest;
    private final AccessLogStore accessLog;
    private final ClosingStore closings;
    private final Sequencer log;
    private final KeyRing keys;

    AccessLogConsumer(
            AuditIngest ingest, AccessLogStore accessLog, ClosingStore closings, Sequencer log, KeyRing keys) {
        this.log = log;
        this.ingest = ingest;
        this.accessLog = accessLog;
        this.keys = keys;
        this.closings = closings;
    }

    @Incoming("access-log")
    @Blocking
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    public CompletionStage<Void> take(Message<ConsumerRecords<String, byte[]>> message) {
        var polled = new ArrayList<ConsumerRecord<String, byte[]>>();
        message.getPayload().forEach(polled::add);
        ingest.take(polled, this::store, log::publish);
        return message.ack();
    }

    private void store(List<byte[]> bodies) {
        var opened = bodies.stream().map(this::opened).toList();
        QuarkusTransaction.requiringNew().run(() -> opened.forEach(Runnable::run));
    }

    private Runnable opened(byte[] signed) {
        var entry = AccessEntry.decode(keys.signatures().verified(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, signed));
        if (entry.action() != AccessEntry.Action.RESPONSE_CLOSED) {
            return () -> accessLog.keep(entry);
        }
        var response = ResponseId.parse(entry.response())
                .orElseThrow(() -> new MalformedMessageException("a closing of no response"));
        var closing = Closing.decode(keys.open(entry.sealed(), Closing.context(entry.tenant(), response)));
        var terms = AuditTerms.decode(keys.open(closing.terms(), AuditTerms.context(entry.tenant(), response)));
        return () -> closings.keep(entry, response, closing, terms);
    }
}
