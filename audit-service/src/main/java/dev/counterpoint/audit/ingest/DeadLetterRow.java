package dev.counterpoint.audit.ingest;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/// One row of the table `dead_letter`.
@Entity
@Table(name = "dead_letter")
class DeadLetterRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    long id;

    String topic;
    int partition;

    @Column(name = "kafka_offset")
    long offset;

    Instant receivedAt;

    /// The kind of failure, without a message.
    String cause;

    /// The bytes of the bus, still sealed.
    byte[] body;
}
