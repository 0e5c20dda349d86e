package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.CanonicalEncoder;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.LoggedRow;
import dev.counterpoint.audit.log.ProvenRow;
import dev.counterpoint.audit.log.RowMark;
import dev.counterpoint.audit.log.RowMarks;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.Opening;
import dev.counterpoint.auditlog.RecordText;
import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hibernate.annotations.Formula;
import org.jspecify.annotations.Nullable;

/// One row of the table `trace_record`; leaves this package as [StoredRecord] only.
@Entity
@Table(name = RecordRow.TABLE)
class RecordRow {
    static final String TABLE = RecordText.TABLE;
    private static final String PARTIAL = ".partial";
    /// For a person who was removed from the row and written into it again.
    private static final byte[] NO_HASH = {0};

    /// The response's id, with [#PARTIAL] behind it in the record of a gateway.
    @Id
    @Column(name = "response")
    String id;

    /// The response's id.
    @Formula("split_part(response, '.', 1)")
    String response;

    /// Whether something marks the response for review.
    @Basic(fetch = FetchType.LAZY)
    @Formula("exists (select 1 from event found where found.outcome = 'flagged'"
            + " and found.response = split_part(response, '.', 1) and found.log_index >= 0)")
    boolean flagged;

    @Transient
    RecordEvidence evidence = RecordEvidence.NONE;

    /// Whether a worker's whole trace is read in place of this row.
    @Basic(fetch = FetchType.LAZY)
    @Formula("response like '%.partial'"
            + " and exists (select 1 from trace_record whole where whole.response = split_part(response, '.', 1))")
    boolean corrected;

    /// The order of storing, which the database assigns.
    @Column(insertable = false, updatable = false)
    long seq;

    String tenant;

    /// Null once the person is erased, as [#conversation] is.
    byte @Nullable [] subjectToken;

    @Column(name = "key_id")
    String key;

    String model;
    String status;
    String reason;
    Instant acceptedAt;
    Instant endedAt;
    Instant storedAt;
    String optIn;

    @Nullable
    String conversation;

    boolean partial;
    boolean cut;
    int unopenedFrames;
    int inputTokens;
    int outputTokens;
    int reasoningTokens;
    int segments;
    String dataKeyId;

    /// The mark over [#text], and what it covers by hashes; null in rows of the version before.
    byte @Nullable [] salt;

    byte @Nullable [] mac;
    byte @Nullable [] contentHash;
    byte @Nullable [] personalSalt;

    /// What the log commits to of a person who is erased.
    byte @Nullable [] personalHash;

    /// The event that took the person out of this row.
    @Nullable
    String removedBy;

    /// Whether the row is older than the log.
    boolean imported;

    @Nullable
    Long logIndex;

    /// A [dev.counterpoint.bus.audit.Trace], encrypted with the data key. A search does not load it. Null in the
    /// database
    /// once its retention has ended; then nobody reads it.
    @Basic(fetch = FetchType.LAZY)
    byte[] content;

    /// The id of the row that holds a trace of a response, so that a whole and a partial one do not displace each
    /// other.
    static String id(String response, boolean partial) {
        return partial ? response + PARTIAL : response;
    }

    byte[] token() {
        return Objects.requireNonNull(subjectToken);
    }

    EnvelopeKeys.KeyName keyName() {
        return new EnvelopeKeys.KeyName(
                HexFormat.of().formatHex(token()),
                YearMonth.from(acceptedAt.atOffset(ZoneOffset.UTC)).toString());
    }

    /// Marks the row for the log.
    void mark(RowMarks marks) {
        contentHash = Commitment.to(content);
        personalSalt = subjectToken == null ? null : Commitment.newSalt();
        var mark = marks.mark(TABLE, id, text());
        salt = mark.salt();
        mac = mark.mac();
    }

    /// Empty for a row without a mark.
    Optional<LoggedRow> logged() {
        return salt == null || mac == null
                ? Optional.empty()
                : Optional.of(new LoggedRow(TABLE, id, logIndex, tenant, text(), new RowMark(salt, mac), removed()));
    }

    /// What took the person out of this row; null where none is missing.
    private @Nullable String removed() {
        return personalSalt != null || personalHash == null ? null : Objects.requireNonNullElse(removedBy, "");
    }

    /// The row for a bundle, without its ciphertext; null while it has no leaf.
    @Nullable
    ProvenRow proven() {
        if (salt == null || logIndex == null || logIndex < 0) {
            return null;
        }
        var personal = personalSalt == null ? null : RecordText.personal(columns());
        return new ProvenRow(logIndex, new Opening(salt, text(), personalSalt, personal, null), removedBy);
    }

    /// What the log commits to of the person.
    byte @Nullable [] personalCommitment() {
        return personalSalt == null ? personalHash : Commitment.to(personalSalt, RecordText.personal(columns()));
    }

    /// What the log commits to.
    private String text() {
        return RecordText.of(columns());
    }

    private Map<String, @Nullable Object> columns() {
        var columns = new HashMap<String, @Nullable Object>();
        columns.put("response", id);
        columns.put("tenant", tenant);
        columns.put("key_id", key);
        columns.put("model", model);
        columns.put("status", status);
        columns.put("reason", reason);
        columns.put("accepted_at", acceptedAt);
        columns.put("ended_at", endedAt);
        columns.put("stored_at", storedAt);
        columns.put("opt_in", optIn);
        columns.put("partial", partial);
        columns.put("cut", cut);
        columns.put("unopened_frames", unopenedFrames);
        columns.put("input_tokens", inputTokens);
        columns.put("output_tokens", outputTokens);
        columns.put("reasoning_tokens", reasoningTokens);
        columns.put("segments", segments);
        columns.put("data_key_id", dataKeyId);
        columns.put("imported", imported);
        columns.put("conversation", conversation);
        columns.put("subject_token", subjectToken);
        columns.put("content_hash", contentHash);
        columns.put("personal_salt", personalSalt);
        boolean named = subjectToken != null || conversation != null;
        columns.put("personal_hash", named ? NO_HASH : personalHash);
        return columns;
    }

    /// The bytes that the content is bound to: every column but the content itself, its mark, and [#seq] and the
    /// row's number, which the database assigns. A row with a changed or swapped value does not decrypt.
    byte[] associatedData() {
        return new CanonicalEncoder("trace-record-1")
                .text(id)
                .text(tenant)
                .bytes(token())
                .text(key)
                .text(model)
                .text(status)
                .text(reason)
                .time(acceptedAt)
                .time(endedAt)
                .time(storedAt)
                .text(optIn)
                .text(Objects.requireNonNull(conversation))
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
