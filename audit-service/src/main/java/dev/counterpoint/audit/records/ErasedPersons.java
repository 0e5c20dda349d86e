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
    /// @param more whether there are records that wait for their leaf
    record Traces(List<RecordRow> records, List<Event.Verified> events, boolean more) {
        boolean none() {
            return records.isEmpty() && events.isEmpty();
        }
    }

    /// Records without a key, and events until the erasure. Rows without a leaf follow later.
    Traces find(ErasureRow erasure) {
        var token = Objects.requireNonNull(erasure.subjectToken);
        var rows = records.list(
                "tenant = ?1 and subjectToken = ?2 and logIndex >= 0 and personalSalt is not null",
                erasure.tenant,
                token);
        var present = keys.present(
                List.of(token), rows.stream().map(row -> row.dataKeyId).toList());
        return new Traces(
                rows.stream().filter(row -> !present.contains(row.dataKeyId)).toList(),
                events.verified(
                        "tenant = ?1 and subjectToken = ?2 and at <= ?3",
                        erasure.tenant,
                        HexFormat.of().formatHex(token),
                        erasure.at),
                records.count("tenant = ?1 and subjectToken = ?2 and logIndex is null", erasure.tenant, token) > 0);
    }

    void takeOut(ErasureRow erasure, Traces found) {
        if (found.none()) {
            return;
        }
        var covers = LongStream.concat(
                found.records.stream().mapToLong(row -> Objects.requireNonNull(row.logIndex)),
                found.events.stream().mapToLong(Event::index));
        var event = accessLog.write(StaffAccess.of("audit-service", Action.PERSON_REMOVED, Outcome.GRANTED)
                .about(erasure.tenant, null, null)
                .with(found.records.size(), "receipt=" + erasure.id)
                .member(EventStore.COVERS, covers.sorted().boxed().toList()));
        records.getEntityManager()
                .unwrap(Session.class)
                .createNativeMutationQuery(TAKE)
                .setParameter("event", event)
                .setParameter("ids", found.records.stream().map(row -> row.id).toArray(String[]::new))
                .setParameter(
                        "hashes",
                        found.records.stream()
                                .map(row -> HexFormat.of().formatHex(row.personalCommitment()))
                                .toArray(String[]::new))
                .executeUpdate();
        events.takePersonal(found.events, event);
    }
}
