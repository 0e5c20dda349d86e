package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.CanonicalEncoder;
import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `trace_record`; leaves this package as [StoredRecord] only.
@Entity
@Table(name = "trace_record")
class RecordRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    long seq;

    String response;
    String tenant;
    byte[] subjectToken;

    @Column(name = "key_id")
    String key;

    String model;
    String status;
    String reason;
    Instant acceptedAt;
    Instant endedAt;
    Instant storedAt;
    String optIn;
    String conversation;
    boolean partial;
    boolean cut;
    int unopenedFrames;
    int inputTokens;
    int outputTokens;
    int reasoningTokens;
    int segments;
    String dataKeyId;

    /// Over [#associatedData]; null in rows of before.
    byte @Nullable [] columnsMac;

    /// A [dev.counterpoint.bus.audit.Trace], encrypted with the data key. A search does not load it.
    @Basic(fetch = FetchType.LAZY)
    byte[] content;

    /// The bytes that the content is bound to: every column but the content itself, its code, and [#seq] and the
    /// row's number, which the database assigns. A row with a changed or swapped value does not decrypt.
    byte[] associatedData() {
        return new CanonicalEncoder("trace-record-1")
                .text(response)
                .text(tenant)
                .bytes(subjectToken)
                .text(key)
                .text(model)
                .text(status)
                .text(reason)
                .time(acceptedAt)
                .time(endedAt)
                .time(storedAt)
                .text(optIn)
                .text(conversation)
                .flag(partial)
                .flag(cut)
                .number(unopenedFrames)
                .number(inputTokens)
                .number(outputTokens)
                .number(reasoningTokens)
                .number(segments)
                .text(dataKeyId)
                .toBytes();
    }
}
