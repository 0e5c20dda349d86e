package dev.counterpoint.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.counterpoint.auditlog.Commitment;
import dev.counterpoint.auditlog.DeadLetterText;
import dev.counterpoint.auditlog.Leaf;
import dev.counterpoint.auditlog.LeafTiles;
import dev.counterpoint.auditlog.LogAudit;
import dev.counterpoint.auditlog.Opening;
import dev.counterpoint.auditlog.RecordText;
import dev.counterpoint.auditlog.SortedJson;
import dev.counterpoint.auditlog.TamperedLogException;
import dev.counterpoint.auditlog.TamperedLogException.Kind;
import dev.counterpoint.tlog.Checkpoint;
import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.TileId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Verifies the database of the audit service in one snapshot: each leaf has its row, each row has its leaf, and the
/// leaves are those of the signed checkpoint. It needs no key but the public one, so it cannot verify the marks (`mac`)
/// that keep foreign rows out of the log: the service does this before it gives a row a leaf.
final class DatabaseAudit implements LeafTiles, AutoCloseable {
    private static final int ROWS_AT_ONCE = 16; // with contents of 16 MiB at most
    private static final int BLOCK = 4_096;
    /// Leaves and rows by index, from one to another. Rows that wait for a leaf are not read.
    private static final String ROWS = """
        select coalesce(l.log_index, e.log_index, d.log_index, r.log_index) as at, l.leaf, e.id as event_id, e.body,
            e.salt as event_salt, e.personal as event_personal, e.personal_salt as event_personal_salt,
            d.place as letter_id, d.received_at, d.cause, d.body as letter, d.salt as letter_salt, r.*
        from (select * from log_leaf where log_index between ? and ?) l
        full join (select * from event where log_index between ? and ?) e on e.log_index = l.log_index
        full join (select * from dead_letter where log_index between ? and ?) d
            on d.log_index = coalesce(l.log_index, e.log_index)
        full join (select * from trace_record where log_index between ? and ?) r
            on r.log_index = coalesce(l.log_index, e.log_index, d.log_index)
        order by at\
        """;
    /// The event that allows the leaves `from` to `to` to have no row.
    private static final String RESTORED = "log_restored";
    /// The event that allows the records of the leaves in `covers` to have no content.
    private static final String PURGED = "records_purged";

    /// The tables whose rows have leaves.
    private enum Table {
        EVENT("event_id", "event_salt"),
        DEAD_LETTER("letter_id", "letter_salt"),
        RECORD("response", "salt");

        /// Columns of [#ROWS].
        private final String id;

        private final String salt;

        Table(String id, String salt) {
            this.id = id;
            this.salt = salt;
        }

        /// @param name in leaves
        static Table of(String name) {
            return name.equals(RecordText.TABLE) ? RECORD : name.equals(DeadLetterText.TABLE) ? DEAD_LETTER : EVENT;
        }
    }

    private final Connection connection;
    /// Leaves without a row, and those whose rows a restore lost.
    private final BitSet missing = new BitSet();

    private final BitSet lost = new BitSet();
    /// Rows without their personal part, and those whose part an event took away.
    private final BitSet lacking = new BitSet();

    private final BitSet covered = new BitSet();
    /// Records without their content, and those whose retention ended.
    private final BitSet empty = new BitSet();

    private final BitSet purged = new BitSet();
    private long next;
    private @Nullable TamperedLogException fault;

    private DatabaseAudit(Connection connection) {
        this.connection = connection;
    }

    static DatabaseAudit open(String url) throws SQLException {
        var connection = DriverManager.getConnection(url);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return new DatabaseAudit(connection);
    }

    /// Receives one row.
    @FunctionalInterface
    private interface RowReceiver {
        void accept(ResultSet row) throws SQLException;
    }

    private void read(String sql, RowReceiver receiver, Object... parameters) {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(ROWS_AT_ONCE);
            for (var i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    receiver.accept(rows);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<byte[]> values(String sql, Object... parameters) {
        var values = Stream.<byte[]>builder();
        read(sql, row -> values.add(row.getBytes(1)), parameters);
        return values.build().toList();
    }

    /// @param verifier of checkpoints
    /// @param last whether nobody tries again
    /// @return false when an event that waits for its leaf may explain what is missing
    boolean verify(Function<byte[], Checkpoint> verifier, boolean last) {
        read("select set_config('row_security', 'off', true)", _ -> {}); // fails for a role that sees some rows only
        var note =
                values("select convert_to(note, 'UTF8') from log_head").stream().findFirst();
        var head = note.map(verifier).orElse(new Checkpoint("-", 0, MerkleHash.EMPTY_TREE));
        verify(Long.MIN_VALUE, -1, head.size());
        for (long from = 0; from < head.size(); from += BLOCK) {
            verify(from, Math.min(from + BLOCK, head.size()) - 1, head.size());
        }
        verify(head.size(), Long.MAX_VALUE, head.size());
        if (next < head.size()) {
            fail(Kind.TRUNCATED, next);
        }
        missing.andNot(lost);
        lacking.andNot(covered);
        empty.andNot(purged);
        missing.or(lacking);
        missing.or(empty);
        var first = missing.nextSetBit(0);
        if (first >= 0 && (fault == null || fault.firstBad() == null || first < fault.firstBad())) {
            if (!last
                    && !values("select salt from event where log_index is null limit 1")
                            .isEmpty()) {
                return false;
            }
            var kind = missing.nextClearBit(first) < head.size() ? Kind.DELETED : Kind.TRUNCATED;
            throw new TamperedLogException(kind, (long) first);
        }
        if (fault != null) {
            throw fault;
        }
        if (note.isEmpty()) {
            throw new IllegalStateException("the database has no checkpoint");
        }
        verifyCounts(LogAudit.verify(this, head));
        return true;
    }

    /// Blocks, so that the database sorts little at once.
    private void verify(long from, long to, long size) {
        read(ROWS, row -> verify(row, size), from, to, from, to, from, to, from, to);
    }

    private void verify(ResultSet row, long size) throws SQLException {
        var index = row.getLong("at");
        var entry = row.getBytes("leaf");
        if (index < 0) {
            fail(Kind.FORGED, null); // the service gave it no leaf
            return;
        }
        if (index > next && next < size) {
            fail(Kind.DELETED, next);
        }
        next = index + 1;
        if (entry == null) {
            fail(index < size ? Kind.DELETED : Kind.INSERTED, index);
        } else if (index >= size) {
            fail(Kind.ROLLED_BACK, size);
        } else if (rowsOf(row) > 1) {
            fail(Kind.INSERTED, index);
        } else {
            verify(row, Math.toIntExact(index), Leaf.read(entry).orElse(null));
        }
    }

    private static long rowsOf(ResultSet row) throws SQLException {
        var rows = 0;
        for (var table : Table.values()) {
            rows += row.getString(table.id) == null ? 0 : 1;
        }
        return rows;
    }

    private void verify(ResultSet row, int index, @Nullable Leaf leaf) throws SQLException {
        var table = leaf == null ? Table.EVENT : Table.of(leaf.table());
        if (leaf != null && row.getString(table.id) == null) {
            missing.set(index);
            return;
        }
        var opening = row.getBytes(table.salt) == null ? null : opening(table, row);
        if (leaf == null || opening == null || !opening.opens(leaf.commitment())) {
            var moved = fault == null && opening != null && hasAnotherLeaf(opening, index);
            fail(moved ? Kind.REORDERED : Kind.EDITED, (long) index);
            return;
        }
        lacking.set(index, opening.lacksPersonal());
        empty.set(index, opening.lacksContent());
        var members = SortedJson.read(opening.row());
        if (table != Table.EVENT) {
            return;
        }
        if (!members.path("id").asText().equals(row.getString(table.id))) {
            fail(Kind.EDITED, (long) index);
        }
        if (members.path("action").asText().equals(RESTORED)) {
            lost.set(members.path("from").asInt(), members.path("to").asInt());
        }
        var covers = members.path("action").asText().equals(PURGED) ? List.of(covered, purged) : List.of(covered);
        opening.covers().forEach(at -> covers.forEach(leaves -> leaves.set(Math.toIntExact(at))));
    }

    private static Opening opening(Table table, ResultSet row) throws SQLException {
        return switch (table) {
            case EVENT -> event(row);
            case DEAD_LETTER -> letter(row);
            case RECORD -> record(row);
        };
    }

    private static Opening letter(ResultSet row) throws SQLException {
        var text = DeadLetterText.of(
                row.getString(Table.DEAD_LETTER.id),
                row.getTimestamp("received_at").toInstant(),
                row.getString("cause"),
                Commitment.to(row.getBytes("letter")));
        return new Opening(row.getBytes(Table.DEAD_LETTER.salt), text, null, null, null);
    }

    private boolean hasAnotherLeaf(Opening opening, int index) {
        var part = Base64.getEncoder().encodeToString(opening.commitment()).getBytes(US_ASCII);
        return !values(
                        "select leaf from log_leaf where log_index <> ? and position(? in leaf) > 0 limit 1",
                        index,
                        part)
                .isEmpty();
    }

    private static Opening event(ResultSet row) throws SQLException {
        return new Opening(
                row.getBytes(Table.EVENT.salt),
                row.getString("body"),
                row.getBytes("event_personal_salt"),
                row.getString("event_personal"),
                null);
    }

    private static Opening record(ResultSet row) throws SQLException {
        var columns = new HashMap<String, @Nullable Object>();
        for (var i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            var value = row.getObject(i);
            columns.put(row.getMetaData().getColumnName(i), value instanceof Timestamp time ? time.toInstant() : value);
        }
        return new Opening(
                row.getBytes(Table.RECORD.salt),
                RecordText.of(columns),
                row.getBytes("personal_salt"),
                columns.get("subject_token") == null && columns.get("conversation") == null
                        ? null
                        : RecordText.personal(columns),
                row.getBytes("content"));
    }

    /// The service numbers a tenant's next leaf by these counts.
    private void verifyCounts(Map<String, Leaf.Count> expected) {
        var stored = new HashMap<String, Leaf.Count>();
        read(
                "select tenant, leaves, last from tenant_head",
                row -> stored.put(row.getString(1), new Leaf.Count(row.getLong(2), row.getLong(3))));
        if (!stored.equals(expected)) {
            throw new TamperedLogException(Kind.EDITED, null);
        }
    }

    private void fail(Kind kind, @Nullable Long index) {
        fault = fault == null ? new TamperedLogException(kind, index) : fault;
    }

    @Override
    public List<byte[]> leaves(long from, long to) {
        return values("select leaf from log_leaf where log_index >= ? and log_index < ? order by log_index", from, to);
    }

    @Override
    public List<byte[]> full(int level, long first, int count) {
        return values(
                "select hashes from log_tile where level = ? and number >= ? and number < ? order by number",
                level,
                first,
                first + count);
    }

    @Override
    public void write(Map<TileId, byte[]> tiles) {
        throw new UnsupportedOperationException("a database is only read");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
