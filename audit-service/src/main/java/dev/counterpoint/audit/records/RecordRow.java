package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.CanonicalEncoder;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.Commitment;
import dev.counterpoint.audit.log.LoggedRow;
import dev.counterpoint.audit.log.RowMark;
import dev.counterpoint.audit.log.RowMarks;
import dev.counterpoint.audit.log.SortedJson;
import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One row of the table `trace_record`; leaves this package as [StoredRecord] only.
@Entity
@Table(name = RecordRow.TABLE)
class RecordRow {
    static final String TABLE = "trace_record";

    @Id
    String response;

    /// The order of storing, which the database assigns.
    @Column(insertable = false, updatable = false)
    long seq;

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

    /// The mark over [#text], and what it covers by hashes; null in rows of the version before.
    byte @Nullable [] salt;

    byte @Nullable [] mac;
    byte @Nullable [] contentHash;
    byte @Nullable [] personalSalt;

    /// Whether the row is older than the log.
    boolean imported;

    @Nullable
    Long logIndex;

    /// A [dev.counterpoint.bus.audit.Trace], encrypted with the data key. A search does not load it.
    @Basic(fetch = FetchType.LAZY)
    byte[] content;

    EnvelopeKeys.KeyName keyName() {
        return new EnvelopeKeys.KeyName(
                HexFormat.of().formatHex(subjectToken),
                YearMonth.from(acceptedAt.atOffset(ZoneOffset.UTC)).toString());
    }

    /// Marks the row for the log.
    void mark(RowMarks marks) {
        contentHash = Commitment.to(content);
        personalSalt = Commitment.newSalt();
        var mark = marks.mark(TABLE, response, text());
        salt = mark.salt();
        mac = mark.mac();
    }

    /// Empty for a row without a mark.
    Optional<LoggedRow> logged() {
        return salt == null || mac == null
                ? Optional.empty()
                : Optional.of(new LoggedRow(TABLE, response, logIndex, tenant, text(), new RowMark(salt, mac)));
    }

    /// What an erasure may take away.
    private String personal() {
        return SortedJson.of(new TreeMap<>(Map.of(
                "conversation", conversation, "subject_token", HexFormat.of().formatHex(subjectToken))));
    }

    /// What the log commits to.
    private String text() {
        var members = new TreeMap<String, Object>();
        members.put("response", response);
        members.put("tenant", tenant);
        members.put("key", key);
        members.put("model", model);
        members.put("status", status);
        members.put("reason", reason);
        members.put("accepted_at", micros(acceptedAt));
        members.put("ended_at", micros(endedAt));
        members.put("stored_at", micros(storedAt));
        members.put("opt_in", optIn);
        members.put("partial", partial);
        members.put("cut", cut);
        members.put("unopened_frames", unopenedFrames);
        members.put("input_tokens", inputTokens);
        members.put("output_tokens", outputTokens);
        members.put("reasoning_tokens", reasoningTokens);
        members.put("segments", segments);
        members.put("data_key_id", dataKeyId);
        members.put("imported", imported);
        members.put("content", hex(contentHash));
        members.put("personal", hex(personalSalt == null ? null : Commitment.to(personalSalt, personal())));
        return SortedJson.of(members);
    }

    private static String hex(byte @Nullable [] hash) {
        return hash == null ? "" : HexFormat.of().formatHex(hash);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /// The bytes that the content is bound to: every column but the content itself, its mark, and [#seq] and the
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
