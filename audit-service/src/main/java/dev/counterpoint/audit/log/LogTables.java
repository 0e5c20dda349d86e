package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.tlog.MerkleHash;
import dev.counterpoint.tlog.MerkleTree;
import dev.counterpoint.tlog.SignedNote;
import dev.counterpoint.tlog.TileContent;
import dev.counterpoint.tlog.TileId;
import dev.counterpoint.tlog.TileStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The tables of the log: leaves, full tiles of hashes, the last checkpoint. Other tiles are made of these when they
/// are read. Methods need an open transaction. Thread-safe.
@ApplicationScoped
class LogTables implements TileStore {
    private static final long OLD_ROWS_MILLIS = Duration.ofDays(1).toMillis();

    private final LogStatements sql;

    LogTables(EntityManager entities) {
        sql = new LogStatements(entities);
    }

    /// A row that waits for its leaf.
    ///
    /// @param tenant null unless it is a tenant's name for sure: what staff typed stays out of the leaves
    record Pending(String id, @Nullable String tenant, String body, byte[] salt, byte[] mac) {}

    /// A leaf beside its row, of which everything but the index is null when the row is missing.
    record Pair(byte[] leaf, @Nullable String body, byte @Nullable [] salt, byte @Nullable [] mac) {}

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

    /// @return the secret that stands in the table now, which another replica may have been first to write
    byte[] keepSecret(byte[] wrapped) {
        sql.run("insert into log_secret (wrapped) values (?) on conflict do nothing", wrapped);
        return secret().orElseThrow();
    }

    /// In the order in which they came.
    List<Pending> pending(int atMost) {
        return sql.rows(
                """
                select id, case when known.tenant is not null or body::jsonb ->> 'source' = 'gateway' then event.tenant end,
                    body, salt, mac
                from event left join tenant_key known using (tenant)
                where log_index is null order by arrival limit ?\
                """,
                row -> new Pending(
                        row.getString(1), row.getString(2), row.getString(3), row.getBytes(4), row.getBytes(5)),
                atMost);
    }

    /// Numbers rows that the log does not take below 0, so that they wait no longer.
    void refuse(List<String> ids) {
        sql.run("update event set log_index = -arrival where id = any(?)", LogStatements.texts(ids));
    }

    /// The rows get the indices from `first` on.
    void append(long first, List<String> ids, List<byte[]> leaves) {
        var indices = LogStatements.numbers(first, ids.size());
        sql.run(
                "insert into log_leaf (log_index, leaf) select * from unnest(?, ?)",
                indices,
                LogStatements.bytes(leaves));
        sql.run(
                "update event set log_index = leaf.i from unnest(?, ?) leaf (id, i) where event.id = leaf.id",
                LogStatements.texts(ids),
                indices);
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
        counts.forEach((tenant, count) -> sql.run("""
                insert into tenant_head (tenant, leaves, last) values (?, ?, ?)
                on conflict (tenant) do update set leaves = excluded.leaves, last = excluded.last\
                """, tenant, count.leaves(), count.last()));
    }

    Map<Long, byte[]> leaves(List<Long> indices) {
        var leaves = new HashMap<Long, byte[]>();
        sql.rows(
                "select log_index, leaf from log_leaf where log_index = any(?)",
                row -> leaves.put(row.getLong(1), row.getBytes(2)),
                LogStatements.numbers(indices));
        return leaves;
    }

    /// The leaves from one index to another, in their order.
    List<byte[]> leaves(long from, long to) {
        return sql.rows(
                "select leaf from log_leaf where log_index >= ? and log_index < ? order by log_index",
                row -> row.getBytes(1),
                from,
                to);
    }

    /// The same with their rows.
    List<Pair> pairs(long from, long to) {
        return sql.rows(
                """
                select l.leaf, e.body, e.salt, e.mac from log_leaf l left join event e using (log_index)
                where log_index >= ? and log_index < ? order by log_index\
                """, row -> new Pair(row.getBytes(1), row.getString(2), row.getBytes(3), row.getBytes(4)), from, to);
    }

    /// How many rows the log refused, or did not number, or came too late to be of the version before.
    long foreign(long size) {
        long foreign = sql.rows(
                        "select count(*) from event where log_index < 0 or log_index >= ?", row -> row.getLong(1), size)
                .getFirst();
        return takesOldRows() ? foreign : foreign + oldRows();
    }

    private long oldRows() {
        return sql.rows("select count(*) from access_entry where not imported", row -> row.getLong(1))
                .getFirst();
    }

    /// During the first day of a log, when replicas of the version before may still write their tables.
    boolean takesOldRows() {
        var first = leaves(0, 1);
        return first.isEmpty() || Leaf.millis(first.getFirst()) > System.currentTimeMillis() - OLD_ROWS_MILLIS;
    }

    @Override
    public Optional<byte[]> read(TileId id) {
        var first = id.index() * TileId.WIDTH;
        if (id.level() == TileId.ENTRIES) {
            return exactly(id, leaves(first, first + id.width())).map(TileContent::ofEntries);
        }
        if (!id.partial()) {
            return sql
                    .rows(
                            "select hashes from log_tile where level = ? and number = ?",
                            row -> row.getBytes(1),
                            id.level(),
                            id.index())
                    .stream()
                    .findFirst();
        }
        var hashes = id.level() == 0
                ? leaves(first, first + id.width()).stream()
                        .map(MerkleHash::ofLeaf)
                        .toList()
                : IntStream.range(0, id.width())
                        .mapToObj(i -> hashes(new TileId(id.level() - 1, first + i, TileId.WIDTH)))
                        .map(tile -> MerkleTree.ofLeaves(tile).root())
                        .toList();
        return exactly(id, hashes).map(TileContent::ofHashes);
    }

    private static <T> Optional<List<T>> exactly(TileId id, List<T> found) {
        return Optional.of(found).filter(all -> all.size() == id.width());
    }

    /// Leaves are there already.
    @Override
    public void write(Map<TileId, byte[]> tiles) {
        var full = new ArrayList<>(tiles.keySet());
        full.removeIf(id -> id.partial() || id.level() == TileId.ENTRIES);
        for (var id : full) {
            sql.run(
                    "insert into log_tile (level, number, hashes) values (?, ?, ?)",
                    id.level(),
                    id.index(),
                    tiles.get(id));
        }
    }
}
