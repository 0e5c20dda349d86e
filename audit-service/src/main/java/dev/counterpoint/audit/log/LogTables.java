package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.auditlog.Leaf;
import dev.counterpoint.auditlog.LeafTiles;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The tables of the log: leaves, full tiles of hashes, the last checkpoint. Other tiles are made of these when
/// they are read. Methods need an open transaction. Thread-safe.
@ApplicationScoped
class LogTables implements LeafTiles {
    private static final long OLD_ROWS_MILLIS = Duration.ofDays(1).toMillis();

    private final LogStatements sql;

    LogTables(EntityManager entities) {
        sql = new LogStatements(entities);
    }

    Optional<SignedNote> checkpoint() {
        return sql.rows("select note from log_head", row -> row.getString(1)).stream()
                .map(note -> SignedNote.parse(note.getBytes(UTF_8)))
                .findFirst();
    }

    void publish(SignedNote note) {
        sql.run(
                "insert into log_head (note) values (?) on conflict (one) do update set note = excluded.note",
                note.toString());
    }

    Optional<byte[]> secret() {
        return sql.rows("select wrapped from log_secret", row -> row.getBytes(1)).stream()
                .findFirst();
    }

    /// @return the secret in the table, which another replica may have written first
    byte[] keepSecret(byte[] wrapped) {
        sql.run("insert into log_secret (wrapped) values (?) on conflict do nothing", wrapped);
        return secret().orElseThrow();
    }

    void replaceSecret(byte[] wrapped) {
        sql.run("update log_secret set wrapped = ?", wrapped);
    }

    /// Gives rows that the log refuses numbers below 0, so that they no longer wait.
    void refuse(LoggedTable table, List<LoggedRow> rows) {
        sql.run(
                "update %s set log_index = -nextval('log_refused') where %s = any(?)"
                        .formatted(table.name(), table.key()),
                ids(rows));
    }

    void append(long first, List<byte[]> leaves) {
        sql.run(
                "insert into log_leaf (log_index, leaf) select * from unnest(?, ?)",
                LogStatements.numbers(first, leaves.size()),
                LogStatements.bytes(leaves));
    }

    /// The rows get the indices from `first` on.
    ///
    /// @throws IllegalStateException when somebody removed one of them meanwhile
    void number(LoggedTable table, long first, List<LoggedRow> rows) {
        int numbered = sql.run(
                "update %1$s set log_index = leaf.i from unnest(?, ?) leaf (id, i) where %1$s.%2$s = leaf.id"
                        .formatted(table.name(), table.key()),
                ids(rows),
                LogStatements.numbers(first, rows.size()));
        if (numbered != rows.size()) {
            throw new IllegalStateException("rows that wait for their leaves are gone table=" + table.name());
        }
    }

    private static LogStatements.Values ids(List<LoggedRow> rows) {
        return LogStatements.texts(rows.stream().map(LoggedRow::id).toList());
    }

    Map<String, Leaf.Count> counts(Collection<String> tenants) {
        var counts = new HashMap<String, Leaf.Count>();
        sql.rows(
                "select tenant, leaves, last from tenant_head where tenant = any(?)",
                row -> counts.put(row.getString(1), new Leaf.Count(row.getLong(2), row.getLong(3))),
                LogStatements.texts(tenants));
        return counts;
    }

    void keepCounts(Map<String, Leaf.Count> counts) {
        var all = List.copyOf(counts.values());
        sql.run(
                """
            insert into tenant_head (tenant, leaves, last) select * from unnest(?, ?, ?)
            on conflict (tenant) do update set leaves = excluded.leaves, last = excluded.last\
            """,
                LogStatements.texts(counts.keySet()),
                LogStatements.numbers(all.stream().map(Leaf.Count::leaves).toList()),
                LogStatements.numbers(all.stream().map(Leaf.Count::last).toList()));
    }

    Map<Long, byte[]> leaves(List<Long> indices) {
        var leaves = new HashMap<Long, byte[]>();
        sql.rows(
                "select log_index, leaf from log_leaf where log_index = any(?)",
                row -> leaves.put(row.getLong(1), row.getBytes(2)),
                LogStatements.numbers(indices));
        return leaves;
    }

    @Override
    public List<byte[]> leaves(long from, long to) {
        return sql.rows(
                "select leaf from log_leaf where log_index >= ? and log_index < ? order by log_index",
                row -> row.getBytes(1),
                from,
                to);
    }

    /// How many rows of a table the log refused or did not number. One statement, because the log grows meanwhile.
    long foreign(LoggedTable table) {
        return sql.rows("""
            select count(*) from %s where log_index < 0
                or log_index > (select coalesce(max(log_index), -1) from log_leaf)\
            """.formatted(table.name()), row -> row.getLong(1)).getFirst();
    }

    /// During the first day of a log, when replicas of the version before may still write their tables.
    boolean takesOldRows() {
        var first = leaves(0, 1);
        return first.isEmpty()
                || Leaf.read(first.getFirst()).map(Leaf::millis).orElse(0L)
                        > System.currentTimeMillis() - OLD_ROWS_MILLIS;
    }

    @Override
    public List<byte[]> full(int level, long first, int count) {
        return sql.rows(
                "select hashes from log_tile where level = ? and number >= ? and number < ? order by number",
                row -> row.getBytes(1),
                level,
                first,
                first + count);
    }

    /// Leaves are there already, and so are the tiles of a writer that follows the log.
    @Override
    public void write(Map<TileId, byte[]> tiles) {
        var full = new ArrayList<>(tiles.keySet());
        full.removeIf(id -> id.partial() || id.level() == TileId.ENTRIES);
        for (var id : full) {
            sql.run(
                    "insert into log_tile (level, number, hashes) values (?, ?, ?) on conflict do nothing",
                    id.level(),
                    id.index(),
                    tiles.get(id));
        }
    }
}
