package dev.counterpoint.audit.ingest;

import dev.counterpoint.bus.kafka.Clients;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Records of the bus that cannot be read, kept sealed for people to look into. Thread-safe.
@ApplicationScoped
class DeadLetterStore implements PanacheRepositoryBase<DeadLetterRow, Long> {
    /// Keeps a record once, however often it is delivered.
    ///
    /// @param cause what kind of failure; holds no content
    @Transactional
    public void keep(ConsumerRecord<String, byte[]> record, String cause) {
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
        row.cause = cause;
        row.body = Clients.body(record);
        persistAndFlush(row);
    }
}
