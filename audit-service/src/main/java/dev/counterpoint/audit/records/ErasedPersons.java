package dev.counterpoint.audit.records;

import dev.counterpoint.audit.accesslog.AccessLogStore;
import dev.counterpoint.audit.accesslog.StaffAccess;
import dev.counterpoint.audit.accesslog.StaffAccess.Action;
import dev.counterpoint.audit.accesslog.StaffAccess.Outcome;
import dev.counterpoint.audit.keys.EnvelopeKeys;
import dev.counterpoint.audit.log.Event;
import dev.counterpoint.audit.log.EventStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.hibernate.Session;

/// Removes an erased person from records and events: token, conversation and salt, so that the name finds nothing. An
/// event lists the leaves; the log stays provable. Methods need an open transaction.
@ApplicationScoped
class ErasedPersons {
    /// Rows of one event.
    static final int BATCH = 500;

    private static final String NAMED =
            "tenant = ?1 and logIndex >= 0 and personalSalt is not null and subjectToken is not null"
                    + " and (acceptedAt <= ?2 or storedAt <= ?2)";
    private static final String WAITING = "tenant = ?1 and logIndex is null";
    private static final String TAKE = """
        update trace_record r set subject_token = null, conversation = null, personal_salt = null, removed_by = :event,
            personal_hash = decode(taken.hash, 'hex')
        from unnest(cast(:ids as text[]), cast(:hashes as text[])) taken (id, hash) where r.response = taken.id\
        """;

    private final RecordRepository records;
    private final EventStore events;
    private final EnvelopeKeys keys;
    private final AccessLogStore accessLog;

    ErasedPersons(RecordRepository records, EventStore events, EnvelopeKeys keys, AccessLogStore accessLog) {
        this.records = records;
        this.events = events;
        this.keys = keys;
        this.accessLog = accessLog;
    }

    /// What still names a person who is erased.
    ///
    /// @param waiting whether there are records that wait for their leaf
    record Traces(List<RecordRow> records, List<Event.Verified> events, boolean waiting) {
        /// Whether there may be more.
        boolean full() {
            return records.size() == BATCH || events.size() == BATCH;
        }

        boolean none() {
            return records.isEmpty() && events.isEmpty();
        }
    }

    /// Some records without a key, and some events until the erasure. Rows without a leaf follow later.
    Traces find(ErasureRow erasure) {
        var token = Objects.requireNonNull(erasure.subjectToken);
        boolean whole = token.length == 0;
        var named = whole
                ? records.find(NAMED, erasure.tenant, erasure.at)
                : records.find(NAMED + " and subjectToken = ?3", erasure.tenant, erasure.at, token);
        var rows = named.range(0, BATCH - 1).list();
        var present = keys.present(
                rows.stream().map(RecordRow::token).toList(),
                rows.stream().map(row -> row.dataKeyId).toList());
        var waiting = whole
                ? records.count(WAITING, erasure.tenant)
                : records.count(WAITING + " and subjectToken = ?2", erasure.tenant, token);
        return new Traces(
                rows.stream().filter(row -> !present.contains(row.dataKeyId)).toList(),
                events.personal(erasure.tenant, HexFormat.of().formatHex(token), erasure.at, BATCH),
                waiting > 0);
    }

    void takeOut(ErasureRow erasure, Traces found) {
        if (!found.none()) {
            var removed = StaffAccess.of("audit-service", Action.PERSON_REMOVED, Outcome.GRANTED);
            takeOut(
                    removed.about(erasure.tenant, null, null).with(found.records.size(), "receipt=" + erasure.id),
                    found);
        }
    }

    /// @param removed the event that lists the leaves
    void takeOut(StaffAccess removed, Traces found) {
        var covers = LongStream.concat(
                found.records.stream().mapToLong(row -> Objects.requireNonNull(row.logIndex)),
                found.events.stream().mapToLong(Event::index));
        var event = accessLog.write(
                removed.member(EventStore.COVERS, covers.sorted().boxed().toList()));
        records.getEntityManager()
                .unwrap(Session.class)
                .createNativeMutationQuery(TAKE)
                .setParameter("event", event)
                .setParameter("ids", found.records.stream().map(row -> row.id).toArray(String[]::new))
                .setParameter(
                        "hashes",
                        found.records.stream()
                                .map(RecordRow::personalCommitment)
                                .map(hash ->
                                        hash == null ? null : HexFormat.of().formatHex(hash))
                                .toArray(String[]::new))
                .executeUpdate();
        events.takePersonal(found.events, event);
    }
}
