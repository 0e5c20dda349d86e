package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Records of the bus that could not be read, kept sealed until somebody looks into them. Thread-safe.
@ApplicationScoped
class DeadLetterStore implements PanacheRepositoryBase<DeadLetterRow, Long> {
    private final TransactionRole role;

    DeadLetterStore(TransactionRole role) {
        this.role = role;
    }

    /// Keeps a record once, however often the bus delivers it.
    @Transactional
    public void keep(ConsumerRecord<String, byte[]> record) {
        role.intake();
        var there = count(
                "topic = ?1 and partition = ?2 and offset = ?3", record.topic(), record.partition(), record.offset());
        if (there > 0) {
            return;
        }
        var row = new DeadLetterRow();
        row.topic = record.topic();
        row.partition = record.partition();
        row.offset = record.offset();
        row.receivedAt = Instant.now();
        row.cause = "FAILED";
        row.body = KafkaClients.body(record);
        persistAndFlush(row);
    }
}
