package dev.counterpoint.audit.accesslog;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `access_entry`; leaves this package as [AccessLogEntry] only.
@Entity
@Table(name = "access_entry")
class AccessRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    long seq;

    @Column
    String id;

    @Column
    Instant at;

    @Column
    String actor;

    @Column
    String source;

    @Column
    String action;

    @Column
    String outcome;

    @Column
    @Nullable
    String tenant;

    @Column
    @Nullable
    String response;

    @Column(name = "subject_token")
    byte @Nullable [] subjectToken;

    @Column(name = "case_id")
    @Nullable
    String caseId;

    @Column
    @Nullable
    String reason;

    @Column
    int records;

    @Column
    @Nullable
    String detail;
}
