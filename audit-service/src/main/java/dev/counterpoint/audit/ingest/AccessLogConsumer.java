package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.log.Sequencer;
import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.Signatures;
import dev.counterpoint.bus.seal.SignedRecord;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;

/// Keeps the entries that gateways write when a caller gets raw reasoning. An entry is acknowledged once it is in
/// the audit log.
@ApplicationScoped
class AccessLogConsumer {
    private final AuditIngest ingest;
    private final AccessLogStore accessLog;
    private final Sequencer log;
    private final Signatures signatures;

    AccessLogConsumer(AuditIngest ingest, AccessLogStore accessLog, Sequencer log, KeyRing keys) {
        this.log = log;
        this.ingest = ingest;
        this.accessLog = accessLog;
        signatures = keys.signatures();
    }

    @Incoming("access-log")
    @Blocking
    @Acknowledgment(Acknowledgment.Strategy.MANUAL)
    public CompletionStage<Void> take(Message<ConsumerRecord<String, byte[]>> message) {
        ingest.take(
                List.of(message.getPayload()),
                bodies -> bodies.forEach(bytes -> accessLog.keep(verified(bytes))),
                log::publish);
        return message.ack();
    }

    private AccessEntry verified(byte[] signed) {
        return AccessEntry.decode(signatures.verified(SignedRecord.ACCESS_ENTRY, Topic.ACCESS_LOG, signed));
    }
}
