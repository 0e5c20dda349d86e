package dev.counterpoint.bus.seal;

import dev.counterpoint.bus.audit.Erase;
import dev.counterpoint.bus.kafka.Topic;
import org.apache.kafka.clients.producer.ProducerRecord;

/// An [Erase] as the topic `audit-log` has it: signed by the audit service.
public final class SignedErase {
    private SignedErase() {}

    /// The record for the topic.
    public static ProducerRecord<String, byte[]> of(Erase erase, Signatures audit) {
        var signed = audit.sign(SignedRecord.ERASE, Topic.AUDIT_LOG, erase.encode());
        return new ProducerRecord<>(Topic.AUDIT_LOG, 0, Erase.KEY, signed);
    }

    /// @throws SealException when the audit service did not sign it; this is counted
    /// @throws dev.counterpoint.bus.wire.MalformedMessageException when it is no erasure
    public static Erase verified(byte[] record, Signatures signatures) {
        return Erase.decode(signatures.verified(SignedRecord.ERASE, Topic.AUDIT_LOG, record));
    }
}
