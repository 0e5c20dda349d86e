package dev.counterpoint.audit.ingest;

import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.hibernate.Session;

/// Records of the bus that could not be read, kept sealed until somebody looks into them. Thread-safe.
@ApplicationScoped
class DeadLetterStore {
    private static final String KEEP = """
        insert into dead_letter (topic, partition, kafka_offset, received_at, cause, body)
        values (:topic, :partition, :offset, now(), 'FAILED', :body) on conflict do nothing\
        """;

    private final Session database;
    private final TransactionRole role;

    DeadLetterStore(Session database, TransactionRole role) {
        this.database = database;
        this.role = role;
    }

    /// Keeps a record once, however often the bus delivers it.
    @Transactional
    public void keep(ConsumerRecord<String, byte[]> record) {
        role.intake();
        database.createNativeMutationQuery(KEEP)
                .setParameter("topic", record.topic())
                .setParameter("partition", record.partition())
                .setParameter("offset", record.offset())
                .setParameter("body", KafkaClients.body(record))
                .executeUpdate();
    }
}
