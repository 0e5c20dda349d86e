package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.DataKey;
import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.wire.MalformedMessageException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The records of opted-in responses, encrypted. Thread-safe. Methods join the caller's transaction or open
/// one, and throw within about two seconds when the database does not answer.
@ApplicationScoped
public class RecordStore {
    private final RecordRepository rows;
    private final EnvelopeKeys keys;
    private final ErasureStore erasures;

    @Inject
    RecordStore(RecordRepository rows, EnvelopeKeys keys, ErasureStore erasures) {
        this.rows = rows;
        this.keys = keys;
        this.erasures = erasures;
    }

    /// Encrypts and stores a record. The first of a response stays, whatever comes after it.
    ///
    /// @return false when the response has one
    @Transactional
    public boolean store(NewRecord record) {
        if (rows.count("response", record.response().toString()) > 0) {
            return false;
        }
        var month = YearMonth.from(record.acceptedAt().atOffset(ZoneOffset.UTC));
        var writing = keys.forWriting(record.tenant(), record.subject(), month);
        var row = row(record, writing.subjectToken(), writing.key());
        row.content = writing.key().encrypt(record.trace().encode(), row.bound());
        rows.persistAndFlush(row);
        return true;
    }

    private static RecordRow row(NewRecord record, byte[] subjectToken, DataKey key) {
        var trace = record.trace();
        var row = new RecordRow();
        row.response = record.response().toString();
        row.tenant = record.tenant();
        row.subjectToken = subjectToken;
        row.key = record.key();
        row.model = record.model();
        row.status = record.status().wireName();
        row.reason = record.reason();
        row.acceptedAt = record.acceptedAt();
        row.endedAt = Instant.ofEpochMilli(trace.endedAtMillis());
        row.storedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        row.optIn = record.optIn();
        row.conversation = record.conversation();
        row.partial = record.partial();
        row.cut = record.cut();
        row.unopenedFrames = record.unopenedFrames();
        row.inputTokens = trace.inputTokens();
        row.outputTokens = trace.outputTokens();
        row.reasoningTokens = trace.reasoningTokens();
        row.segments = trace.segments().size();
        row.dataKeyId = key.id();
        return row;
    }

    /// The records that meet all of `wanted`, the last stored first.
    @Transactional
    public List<StoredRecord> search(RecordQuery wanted) {
        var conditions = new WhereClause();
        conditions.equal("tenant", wanted.tenant());
        conditions.equal("subjectToken", wanted.subjectToken());
        conditions.equal("key", wanted.key());
        conditions.equal("model", wanted.model());
        conditions.equal("response", wanted.response());
        conditions.equal("status", wanted.status());
        conditions.compare("acceptedAt", ">=", wanted.from());
        conditions.compare("acceptedAt", "<", wanted.to());
        conditions.compare("seq", "<", wanted.before());
        var found = rows.find(conditions.text() + " order by seq desc", conditions.values())
                .range(0, wanted.atMost() - 1)
                .list();
        var existing = keys.existing(found.stream().map(row -> row.dataKeyId).toList());
        return found.stream()
                .map(row -> StoredRecord.of(row, !existing.contains(row.dataKeyId)))
                .toList();
    }

    /// Opens one record.
    @Transactional
    public ReadResult read(String response) {
        return rows.find("response", response)
                .firstResultOptional()
                .map(this::open)
                .orElseGet(ReadResult.Absent::new);
    }

    private ReadResult open(RecordRow row) {
        try {
            Optional<DataKey> key = keys.find(row.tenant, row.dataKeyId);
            if (key.isEmpty()) {
                return erasures.destroyed(row.tenant, row.subjectToken, row.dataKeyId)
                        ? new ReadResult.Erased(StoredRecord.of(row, true))
                        : new ReadResult.Altered(StoredRecord.of(row, true));
            }
            var trace = Trace.decode(key.get().decrypt(row.content, row.bound()));
            return new ReadResult.Opened(StoredRecord.of(row, false), trace.segments());
        } catch (EncryptionException | MalformedMessageException altered) {
            return new ReadResult.Altered(StoredRecord.of(row, false));
        }
    }
}
