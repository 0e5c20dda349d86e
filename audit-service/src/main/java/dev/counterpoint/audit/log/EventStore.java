package dev.counterpoint.audit.log;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.store.WhereClause;
import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.Opening;
import dev.counterpoint.auditlog.SortedJson;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The events of the log: who did what, when and why. An event is in the log once its transaction is committed and
/// [Sequencer#publish] has returned. Methods need an open transaction. Thread-safe.
@ApplicationScoped
public class EventStore implements LoggedTable {
    /// Says that the rows of the leaves `[from, to)` are lost, since the database was restored from a backup.
    public static final String RESTORED = "log_restored";

    /// Member of an event: the indices of the leaves whose personal part it removed.
    public static final String COVERS = "covers";

    private static final String TABLE = "event";
    private static final String ID = "id";
    private static final String PERSONAL = "personal";
    private static final String ROWS = """
        select id, log_index,
            case when known.tenant is not null or body::jsonb ->> 'source' = 'gateway' then event.tenant end,
            body, salt, mac, personal, personal_salt, removed_by
        from event left join tenant_key known using (tenant)
        """;

    /// By the index `log_leaf_of_event`.
    private static final String CHANGED = """
        select 1 from log_leaf leaf left join event on event.log_index = leaf.log_index
        where position('"k":"event"'::bytea in leaf) > 0
            and substring(encode(leaf, 'escape') from '"t":"([^"]*)"') = ?
            and (event.id is null or position(convert_to(concat('"', encode(
                sha256(event.salt || convert_to(body, 'UTF8')), 'base64'), '"'), 'UTF8') in leaf) = 0)
            and not exists (
                select from unnest(?, ?) lost (since, until) where leaf.log_index >= since and leaf.log_index < until)
        union all
        select 1 from log_head where (select count(*) from log_leaf) < split_part(note, e'\\n', 2)::bigint
        limit 1
        """;

    private final EventRepository rows;
    private final RowMarks marks;
    private final LogStatements sql;

    EventStore(EventRepository rows, RowMarks marks, EntityManager entities) {
        this.rows = rows;
        this.marks = marks;
        sql = new LogStatements(entities);
    }

    public boolean holds(String id) {
        return rows.count(ID, id) > 0;
    }

    /// Writes an event. Values are texts, whole numbers and flags.
    ///
    /// @param personal what an erasure of a person takes away
    public void append(String id, Map<String, Object> members, SortedMap<String, Object> personal) {
        var body = new TreeMap<>(members);
        body.put(ID, id);
        var row = new EventRow();
        row.id = id;
        if (!personal.isEmpty()) {
            row.personal = SortedJson.of(personal);
            row.personalSalt = Commitment.newSalt();
            body.put(PERSONAL, HexFormat.of().formatHex(Commitment.to(row.personalSalt, row.personal)));
        }
        row.body = SortedJson.of(body);
        var mark = marks.mark(TABLE, id, row.body);
        row.salt = mark.salt();
        row.mac = mark.mac();
        rows.persistAndFlush(row);
    }

    /// @param wanted over the fields of [EventRow]
    /// @return the events with a leaf, the last one first
    public List<Event> newest(WhereClause wanted, int atMost) {
        return events(wanted.atLeast("seq", 0L).newest(rows, atMost));
    }

    /// @param wanted a condition over the fields of [EventRow]
    /// @return the events that are in the log as they were written
    public List<Event.Verified> verified(String wanted, Object... values) {
        return verifiedOf(rows.list("seq >= 0 and " + wanted, values));
    }

    /// @param wanted a condition over the fields of [EventRow]
    /// @return the events that this service wrote, those that wait for their leaf too
    public List<Event.Verified> current(String wanted, Object... values) {
        return verifiedOf(rows.list("coalesce(seq, 0) >= 0 and " + wanted, values));
    }

    private List<Event.Verified> verifiedOf(List<EventRow> found) {
        return events(found).stream()
                .filter(Event.Verified.class::isInstance)
                .map(Event.Verified.class::cast)
                .toList();
    }

    /// Some events that still have their personal part, requests first.
    ///
    /// @param subjectToken hexadecimal; empty for everybody
    public List<Event.Verified> personal(String tenant, String subjectToken, Instant until, int atMost) {
        var wanted = "seq >= 0 and personal is not null and tenant = ?1 and at <= ?2"
                + (subjectToken.isEmpty() ? "" : " and subjectToken = ?3")
                + " order by case when action = 'request' then 0 else 1 end, seq";
        var found = subjectToken.isEmpty()
                ? rows.find(wanted, tenant, until)
                : rows.find(wanted, tenant, until, subjectToken);
        return verifiedOf(found.range(0, atMost - 1).list());
    }

    /// Whether each event of a tenant that has a leaf is there as the log commits to it. So nobody lifts a hold by
    /// deleting or changing its row.
    public boolean hasAll(String tenant) {
        var lost = lost();
        return sql.rows(
                        CHANGED,
                        row -> row.getInt(1),
                        tenant,
                        LogStatements.numbers(lost.keySet()),
                        LogStatements.numbers(lost.values()))
                .isEmpty();
    }

    /// @param wanted as in [#verified]
    /// @return the rows of the events that are in the log as they were written
    public List<ProvenRow> proven(String wanted, Object... values) {
        var found = rows.list("seq >= 0 and " + wanted, values);
        var unaltered = verifiedOf(found).stream().map(Event::id).collect(Collectors.toSet());
        return found.stream()
                .filter(row -> unaltered.contains(row.id))
                .map(row -> new ProvenRow(
                        Objects.requireNonNull(row.seq),
                        new Opening(row.salt, row.body, row.personalSalt, row.personal, null),
                        row.personal == null ? row.removedBy : null))
                .toList();
    }

    /// Removes the personal part of events. The log still proves the rest.
    ///
    /// @param by id of the event that lists their indices ([#COVERS])
    public void takePersonal(Collection<Event.Verified> from, String by) {
        var ids =
                from.stream().filter(event -> event.index() >= 0).map(Event::id).toList();
        rows.flush();
        rows.update("personal = null, personalSalt = null, removedBy = ?1 where id in ?2", by, ids);
        rows.getEntityManager().clear();
    }

    /// The leaves whose personal part these events took away.
    public Set<Long> covered(Collection<String> by) {
        if (by.isEmpty()) {
            return Set.of();
        }
        var found = rows.list("coalesce(seq, 0) >= 0 and id in ?1", by);
        var unaltered = unaltered(found);
        return found.stream()
                .filter(row -> unaltered.contains(row.id))
                .flatMap(row -> SortedJson.read(row.body).path(COVERS).valueStream())
                .map(JsonNode::asLong)
                .collect(Collectors.toSet());
    }

    /// Whether all these events are in the log as they were written.
    public boolean published(Collection<String> ids) {
        var found = events(rows.list("id in ?1 and seq >= 0", ids));
        return found.size() == ids.size() && found.stream().allMatch(Event.Verified.class::isInstance);
    }

    /// For each range of leaves whose rows are lost, its beginning and its end.
    Map<Long, Long> lost() {
        return verified("action = ?1", RESTORED).stream()
                .map(Event.Verified::body)
                .collect(Collectors.toMap(
                        body -> body.path("from").asLong(),
                        body -> body.path("to").asLong(),
                        Math::max));
    }

    private List<Event> events(List<EventRow> found) {
        var unaltered = unaltered(found);
        var covered = covered(found.stream()
                .filter(row -> row.personal == null)
                .map(row -> row.removedBy)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
        return found.stream()
                .map(row -> event(row, unaltered.contains(row.id), covered))
                .toList();
    }

    private Set<String> unaltered(List<EventRow> found) {
        return marks.unaltered(found.stream()
                .map(row -> new LoggedRow(
                        TABLE, row.id, row.seq, row.tenant, row.body, new RowMark(row.salt, row.mac), null))
                .toList());
    }

    private static Event event(EventRow row, boolean unaltered, Set<Long> covered) {
        long index = Objects.requireNonNullElse(row.seq, Event.NO_INDEX);
        var body = SortedJson.read(row.body);
        var personal = row.personal;
        return unaltered && row.id.equals(body.path(ID).asText()) && personalIsAsItWas(row, body, covered)
                ? new Event.Verified(index, row.id, body, SortedJson.read(personal == null ? "{}" : personal))
                : new Event.Altered(index, row.id);
    }

    /// One that an event took away is as it was, too.
    private static boolean personalIsAsItWas(EventRow row, JsonNode body, Set<Long> covered) {
        var personal = row.personal;
        var salt = row.personalSalt;
        if (personal == null) {
            return !body.has(PERSONAL) || (row.seq != null && covered.contains(row.seq));
        }
        return salt != null
                && body.path(PERSONAL).asText().equals(HexFormat.of().formatHex(Commitment.to(salt, personal)));
    }

    @Override
    public String name() {
        return TABLE;
    }

    @Override
    public String key() {
        return ID;
    }

    @Override
    public List<LoggedRow> waiting(int atMost) {
        return sql.rows(ROWS + "where log_index is null order by arrival limit ?", EventStore::logged, atMost);
    }

    @Override
    public List<LoggedRow> between(long from, long to) {
        return sql.rows(ROWS + "where log_index >= ? and log_index < ?", EventStore::logged, from, to);
    }

    private static LoggedRow logged(ResultSet row) throws SQLException {
        return new LoggedRow(
                TABLE,
                row.getString(1),
                row.getObject(2, Long.class),
                row.getString(3),
                row.getString(4),
                new RowMark(row.getBytes(5), row.getBytes(6)),
                row.getObject(2) == null ? null : removed(row));
    }

    private static @Nullable String removed(ResultSet row) throws SQLException {
        var opening = new Opening(row.getBytes(5), row.getString(4), row.getBytes(8), row.getString(7), null);
        return opening.opens(opening.commitment()) && !opening.lacksPersonal()
                ? null
                : Objects.requireNonNullElse(row.getString(9), "");
    }
}
