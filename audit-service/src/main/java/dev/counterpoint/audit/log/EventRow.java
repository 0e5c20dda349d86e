package dev.counterpoint.audit.log;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `event`; leaves this package as [Event] only.
@Entity
@Table(name = "event")
class EventRow {
    @Id
    String id;

    /// What the log commits to.
    String body;

    /// What an erasure takes away; the body holds a commitment to it.
    @Nullable
    String personal;

    byte @Nullable [] personalSalt;

    /// The event that took [#personal] away.
    @Nullable
    String removedBy;

    byte[] salt;
    byte[] mac;

    /// The index of the leaf, given by the sequencer.
    @Nullable
    @Column(name = "log_index", insertable = false, updatable = false)
    Long seq;

    // The database takes these from the body. They serve searches; nothing that is shown comes from them.
    @Column(insertable = false, updatable = false)
    @Nullable
    Instant at;

    @Column(insertable = false, updatable = false)
    @Nullable
    String actor;

    @Column(insertable = false, updatable = false)
    @Nullable
    String action;

    @Column(insertable = false, updatable = false)
    @Nullable
    String outcome;

    @Column(insertable = false, updatable = false)
    @Nullable
    String tenant;

    @Column(insertable = false, updatable = false)
    @Nullable
    String response;

    @Column(insertable = false, updatable = false)
    @Nullable
    String caseId;

    @Column(insertable = false, updatable = false)
    @Nullable
    String request;

    @Column(insertable = false, updatable = false)
    @Nullable
    String subjectToken;
}
