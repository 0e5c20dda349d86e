package dev.counterpoint.audit.records;

import dev.counterpoint.audit.keys.DataKey;
import dev.counterpoint.audit.keys.EncryptionException;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.RowMarks;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.audit.store.TransactionRole;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.wire.MalformedMessageException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The records of opted-in responses, encrypted. Methods join the caller's transaction or open one, and throw within
/// about two seconds when the database does not answer. Thread-safe.
@ApplicationScoped
public class RecordStore {
    private final RecordRepository rows;
    private final EnvelopeKeys keys;
    private final RowMarks marks;
    private final ErasureStore erasures;
    private final ClosingStore closings;
    private final TransactionRole role;

    RecordStore(
            RecordRepository rows,
            EnvelopeKeys keys,
            RowMarks marks,
            ErasureStore erasures,
            ClosingStore closings,
            TransactionRole role) {
        this.closings = closings;
        this.marks = marks;
        this.rows = rows;
        this.role = role;
        this.keys = keys;
        this.erasures = erasures;
    }

    /// Encrypts and stores records in one transaction. The first whole trace of a response and the
    /// first partial one stay; later ones are ignored.
    /// One whose subject was erased since the response was accepted is stored without its content.
    ///
    /// @return those that were the first of their responses
    @Transactional
    public Set<NewRecord> store(List<NewRecord> records) {
        erasures.requireKnown();
        Set<NewRecord> stored = Collections.newSetFromMap(new IdentityHashMap<>());
        records.stream()
                .collect(Collectors.groupingBy(record -> record.received().tenant(), TreeMap::new, Collectors.toList()))
                .forEach((tenant, ofTenant) -> stored.addAll(store(tenant, ofTenant)));
        return stored;
    }

    private List<NewRecord> store(String tenant, List<NewRecord> records) {
        role.intake(tenant);
        var known = rows.present(records.stream().map(NewRecord::rowId).toList());
        var first = records.stream().filter(record -> known.add(record.rowId())).toList();
        if (first.isEmpty()) {
            return first;
        }
        var tokens = keys.tokensForWriting(
                tenant, first.stream().map(NewRecord::subject).toList());
        var fresh = IntStream.range(0, first.size())
                .mapToObj(i -> row(first.get(i), tokens.get(i)))
                .toList();
        var erased = erasures.erased(fresh);
        var dataKeys = keys.forWriting(
                tenant,
                fresh.stream().filter(erased.negate()).map(RecordRow::keyName).collect(Collectors.toSet()));
        for (int i = 0; i < fresh.size(); i++) {
            var row = fresh.get(i);
            if (erased.test(row)) {
                row.dataKeyId = ErasureStore.NO_KEY;
                row.subjectToken = null;
                row.conversation = null;
                row.content = new byte[0];
            } else {
                var key = dataKeys.apply(row.keyName());
                row.dataKeyId = key.id();
                row.content = key.encrypt(first.get(i).trace().encode(), row.associatedData());
            }
            row.mark(marks);
        }
        rows.persist(fresh);
        rows.flush(); // while the transaction may write in this tenant
        return first;
    }

    /// The row without key and content.
    private static RecordRow row(NewRecord record, byte[] token) {
        var received = record.received();
        var trace = record.trace();
        var row = new RecordRow();
        row.id = record.rowId();
        row.response = received.response().toString();
        row.tenant = received.tenant();
        row.subjectToken = token;
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
        var found = wanted.is("corrected", false).newest(rows, atMost);
        closings.find(found);
        var present = keys.present(
                found.stream()
                        .map(row -> row.subjectToken)
                        .filter(Objects::nonNull)
                        .toList(),
                found.stream().map(row -> row.dataKeyId).toList());
        var unaltered = unaltered(found);
        var erased = erasures.erased(found);
        return found.stream()
                .map(row -> row.mac != null
                                && unaltered.contains(row.id)
                                && (present.contains(row.dataKeyId) || erased.test(row))
                        ? StoredRecord.of(row, erased.test(row))
                        : opened(row))
                .toList();
    }

    /// Reads records one by one, so that memory holds the content of one.
    ///
    /// @param visitor gets each record, the last stored first
    /// @return `seq` of the last one; empty when there are no more
    @Transactional
    public OptionalLong visit(WhereClause wanted, int atMost, Consumer<OpenedRecord> visitor) {
        erasures.requireKnown();
        var found = wanted.is("corrected", false).newest(rows, atMost);
        closings.find(found);
        for (var row : found) {
            var result = open(row);
            var proven = result instanceof ReadResult.Altered ? null : row.proven();
            visitor.accept(new OpenedRecord(row.response, result, proven));
        }
        return found.size() < atMost ? OptionalLong.empty() : OptionalLong.of(found.getLast().seq);
    }

    /// @param wanted as in [#search]
    public int count(WhereClause wanted) {
        return wanted.is("corrected", false).count(rows);
    }

    private FoundRecord opened(RecordRow row) {
        return switch (open(row)) {
            case ReadResult.Opened opened -> opened.record();
            case ReadResult.Erased erased -> erased.record();
            case ReadResult.Altered _ -> new FoundRecord.Altered(row.seq, row.response);
            case ReadResult.Absent _ -> throw new IllegalStateException("a row that was found is there");
        };
    }

    /// Decrypts the record of one response, the whole trace where there is one.
    @Transactional
    public ReadResult read(String response) {
        erasures.requireKnown();
        var row = find(response);
        closings.find(row.stream().toList());
        return row.map(this::open).orElseGet(ReadResult.Absent::new);
    }

    /// Whose record it is; empty where there is none.
    public Optional<String> tenant(String response) {
        return find(response).map(row -> row.tenant);
    }

    private Optional<RecordRow> find(String response) {
        return rows.findByIdOptional(response).or(() -> rows.findByIdOptional(RecordRow.id(response, true)));
    }

    /// Records with unaltered columns, and older ones, whose content proves the columns.
    private Set<String> unaltered(List<RecordRow> found) {
        var marked = marks.unaltered(
                found.stream().map(RecordRow::logged).flatMap(Optional::stream).toList());
        return found.stream()
                .filter(row -> row.mac == null ? row.logIndex == null : marked.contains(row.id))
                .map(row -> row.id)
                .collect(Collectors.toSet());
    }

    ReadResult open(RecordRow row) {
        if (unaltered(List.of(row)).isEmpty()) {
            return new ReadResult.Altered(StoredRecord.of(row, false));
        }
        if (erasures.erased(List.of(row)).test(row)) {
            return new ReadResult.Erased(StoredRecord.of(row, true));
        }
        try {
            var token = row.subjectToken;
            var key = token == null ? Optional.<DataKey>empty() : keys.find(row.tenant, token, row.dataKeyId);
            if (key.isEmpty()) { // and no erasure took it
                return new ReadResult.Altered(StoredRecord.of(row, true));
            }
            var content = content(row);
            if (row.contentHash != null && !Arrays.equals(row.contentHash, Commitment.to(content))) {
                return new ReadResult.Altered(StoredRecord.of(row, false));
            }
            var trace = Trace.decode(key.get().decrypt(content, row.associatedData()));
            closings.open(row);
            return new ReadResult.Opened(StoredRecord.of(row, false), trace.segments());
        } catch (EncryptionException | MalformedMessageException altered) {
            return new ReadResult.Altered(StoredRecord.of(row, false));
        }
    }

    /// Read apart from the row, so that memory does not hold all contents at once.
    byte[] content(RecordRow row) {
        return rows.getEntityManager()
                .createQuery("select r.content from RecordRow r where r.id = :id", byte[].class)
                .setParameter("id", row.id)
                .getSingleResult();
    }

    /// How many records of a tenant name their person.
    public int count(String tenant) {
        return (int) rows.count("tenant = ?1 and subjectToken is not null", tenant);
    }

    /// How many records of a subject there are.
    ///
    /// @param subjectToken hexadecimal; null for nobody
    public int count(String tenant, @Nullable String subjectToken) {
        return subjectToken == null
                ? 0
                : (int) rows.count(
                        "tenant = ?1 and subjectToken = ?2",
                        tenant,
                        HexFormat.of().parseHex(subjectToken));
    }
}
