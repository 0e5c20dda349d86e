package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.Commitment;
import dev.counterpoint.audit.log.RowMarks;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.wire.MalformedMessageException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The records of opted-in responses, encrypted. Methods join the caller's transaction or open one, and throw within
/// about two seconds when the database does not answer. Thread-safe.
@ApplicationScoped
public class RecordStore {
    private static final String NO_KEY = "erased";

    private final RecordRepository rows;
    private final EnvelopeKeys keys;
    private final RowMarks marks;
    private final ErasureStore erasures;
    private final TransactionRole role;

    RecordStore(RecordRepository rows, EnvelopeKeys keys, RowMarks marks, ErasureStore erasures, TransactionRole role) {
        this.marks = marks;
        this.rows = rows;
        this.role = role;
        this.keys = keys;
        this.erasures = erasures;
    }

    /// Stores records in one transaction.
    ///
    /// @return for each of them what [#store(NewRecord)] returns
    @Transactional
    public List<Boolean> store(List<NewRecord> records) {
        return records.stream().map(this::store).toList();
    }

    /// Encrypts and stores a record. The first record of a response stays; later ones are ignored. One whose
    /// subject was erased since the response was accepted is stored without its content.
    ///
    /// @return false when the response has a record already
    @Transactional
    public boolean store(NewRecord record) {
        var received = record.received();
        erasures.requireKnown();
        role.intake(received.tenant());
        if (rows.count("response", received.response().toString()) > 0) {
            return false;
        }
        var row = row(record);
        row.subjectToken = keys.tokenForWriting(row.tenant, record.subject());
        if (erased(row)) {
            row.dataKeyId = NO_KEY;
            row.content = new byte[0];
        } else {
            var month = YearMonth.from(row.acceptedAt.atOffset(ZoneOffset.UTC));
            var key = keys.forWriting(row.tenant, row.subjectToken, month);
            row.dataKeyId = key.id();
            row.content = key.encrypt(record.trace().encode(), row.associatedData());
        }
        row.mark(marks);
        rows.persistAndFlush(row);
        return true;
    }

    /// By the time in the response's id, to which the content is bound wherever it was sealed.
    private boolean erased(RecordRow row) {
        return ResponseId.parse(row.response)
                .map(id -> Instant.ofEpochMilli(id.acceptedAtMillis()))
                .filter(acceptedAt -> erasures.names(row.tenant, row.subjectToken, acceptedAt))
                .isPresent();
    }

    /// The row without token, key and content.
    private static RecordRow row(NewRecord record) {
        var received = record.received();
        var trace = record.trace();
        var row = new RecordRow();
        row.response = received.response().toString();
        row.tenant = received.tenant();
        row.key = received.key();
        row.model = received.model();
        row.status = record.ending().status().wireName();
        row.reason = record.ending().reason();
        row.acceptedAt = Instant.ofEpochMilli(received.acceptedAtMillis());
        row.endedAt = Instant.ofEpochMilli(trace.endedAtMillis());
        row.storedAt = RowTime.now();
        row.optIn = record.terms().optIn();
        row.conversation = record.terms().conversation();
        if (record.ending() instanceof RecordEnding.ByOwner owner) {
            row.partial = true;
            row.cut = owner.cut();
            row.unopenedFrames = owner.unopenedFrames();
        }
        row.inputTokens = trace.inputTokens();
        row.outputTokens = trace.outputTokens();
        row.reasoningTokens = trace.reasoningTokens();
        row.segments = trace.segments().size();
        return row;
    }

    /// Checks the columns of each record, and opens none but those that were stored without a mark.
    ///
    /// @param wanted over the fields of [StoredRecord] and `subjectToken` in bytes
    /// @return the records, the last stored first
    @Transactional
    public List<FoundRecord> search(WhereClause wanted, int atMost) {
        erasures.requireKnown();
        var found = wanted.newest(rows, atMost);
        var present = keys.present(
                found.stream().map(row -> row.subjectToken).toList(),
                found.stream().map(row -> row.dataKeyId).toList());
        var unaltered = unaltered(found);
        return found.stream().map(row -> checked(row, present, unaltered)).toList();
    }

    private FoundRecord checked(RecordRow row, Set<String> present, Set<String> unaltered) {
        if (row.mac != null && present.contains(row.dataKeyId) && unaltered.contains(row.response)) {
            return StoredRecord.of(row, erased(row));
        }
        return switch (open(row)) {
            case ReadResult.Opened opened -> opened.record();
            case ReadResult.Erased erased -> erased.record();
            case ReadResult.Altered _ -> new FoundRecord.Altered(row.seq, row.response);
            case ReadResult.Absent _ -> throw new IllegalStateException("a row that was found is there");
        };
    }

    /// Decrypts the record of one response.
    @Transactional
    public ReadResult read(String response) {
        erasures.requireKnown();
        return rows.find("response", response)
                .firstResultOptional()
                .map(this::open)
                .orElseGet(ReadResult.Absent::new);
    }

    /// Those whose columns are as they were stored, and those of before, which their content vouches for.
    private Set<String> unaltered(List<RecordRow> found) {
        var marked = marks.unaltered(
                found.stream().map(RecordRow::logged).flatMap(Optional::stream).toList());
        return found.stream()
                .filter(row -> row.mac == null ? row.logIndex == null : marked.contains(row.response))
                .map(row -> row.response)
                .collect(Collectors.toSet());
    }

    ReadResult open(RecordRow row) {
        if (unaltered(List.of(row)).isEmpty()) {
            return new ReadResult.Altered(StoredRecord.of(row, false));
        }
        if (erased(row)) {
            return new ReadResult.Erased(StoredRecord.of(row, true));
        }
        try {
            var key = keys.find(row.tenant, row.subjectToken, row.dataKeyId);
            if (key.isEmpty()) {
                return withoutKey(row);
            }
            var content = content(row);
            if (row.contentHash != null && !Arrays.equals(row.contentHash, Commitment.to(content))) {
                return new ReadResult.Altered(StoredRecord.of(row, false));
            }
            var trace = Trace.decode(key.get().decrypt(content, row.associatedData()));
            return new ReadResult.Opened(StoredRecord.of(row, false), trace.segments());
        } catch (EncryptionException | MalformedMessageException altered) {
            return new ReadResult.Altered(StoredRecord.of(row, false));
        }
    }

    /// Read apart from the row, which then does not hold it while other rows are opened.
    byte[] content(RecordRow row) {
        return rows.getEntityManager()
                .createQuery("select r.content from RecordRow r where r.seq = :seq", byte[].class)
                .setParameter("seq", row.seq)
                .getSingleResult();
    }

    /// A key that is gone without a receipt was removed by somebody else than this service.
    private ReadResult withoutKey(RecordRow row) {
        var record = StoredRecord.of(row, true);
        return erasures.destroyed(row.tenant, row.subjectToken, row.dataKeyId)
                ? new ReadResult.Erased(record)
                : new ReadResult.Altered(record);
    }
}
