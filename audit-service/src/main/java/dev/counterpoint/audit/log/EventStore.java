package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.store.WhereClause;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// The events of the log: who did what, when and why. An event is in the log once its transaction is committed and
/// [Sequencer#publish] has returned. Methods need an open transaction. Thread-safe.
@ApplicationScoped
public class EventStore {
    private static final String ID = "id";
    private static final String PERSONAL = "personal";

    private final EventRepository rows;
    private final LogKey key;
    private final LogTables tables;

    EventStore(EventRepository rows, LogKey key, LogTables tables) {
        this.rows = rows;
        this.key = key;
        this.tables = tables;
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
        row.salt = Commitment.newSalt();
        row.mac = key.mac(EventRow.TABLE, row.commitment());
        rows.persistAndFlush(row);
    }

    /// @param wanted over the fields of [EventRow]
    /// @return the events with a leaf, the last one first
    public List<Event> newest(WhereClause wanted, int atMost) {
        return events(wanted.atLeast("seq", 0L).newest(rows, atMost));
    }

    /// Whether all these events are in the log as they were written.
    public boolean published(Collection<String> ids) {
        var found = events(rows.list("id in ?1 and seq >= 0", ids));
        return found.size() == ids.size() && found.stream().allMatch(Event.Verified.class::isInstance);
    }

    private List<Event> events(List<EventRow> found) {
        var leaves = tables.leaves(
                found.stream().map(row -> Objects.requireNonNull(row.seq)).toList());
        return found.stream().map(row -> event(row, leaves)).toList();
    }

    private Event event(EventRow row, Map<Long, byte[]> leaves) {
        long index = Objects.requireNonNull(row.seq);
        var leaf = leaves.get(index);
        var commitment = row.commitment();
        if (leaf == null
                || !Arrays.equals(Leaf.commitment(leaf), commitment)
                || !key.marked(EventRow.TABLE, commitment, row.mac)) {
            return new Event.Altered(index, row.id);
        }
        var body = SortedJson.read(row.body);
        var personal = row.personal;
        return row.id.equals(body.path(ID).asText()) && personalIsAsItWas(row, body)
                ? new Event.Verified(index, row.id, body, SortedJson.read(personal == null ? "{}" : personal))
                : new Event.Altered(index, row.id);
    }

    /// An erased one is as it was, too.
    private static boolean personalIsAsItWas(EventRow row, JsonNode body) {
        var personal = row.personal;
        var salt = row.personalSalt;
        return personal == null
                || salt == null
                || Arrays.equals(
                        body.path(PERSONAL).asText().getBytes(US_ASCII),
                        HexFormat.of().formatHex(Commitment.to(salt, personal)).getBytes(US_ASCII));
    }
}
