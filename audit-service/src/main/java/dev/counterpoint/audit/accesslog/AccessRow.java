package dev.counterpoint.audit.accesslog;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `access_entry` of the version before.
@Entity
@Table(name = "access_entry")
class AccessRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    long seq;

    String id;
    Instant at;
    String actor;
    String source;
    String action;
    String outcome;

    @Nullable
    String tenant;

    @Nullable
    String response;

    byte @Nullable [] subjectToken;

    @Nullable
    String caseId;

    @Nullable
    String reason;

    int records;

    @Nullable
    String detail;

    /// Whether the audit log has it.
    boolean imported;
}
