package dev.counterpoint.gateway.stream;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/// The owners of the partitions of `frames`, and the gateways: rows in PostgreSQL with heartbeats, by its
/// clock alone. Ownership keeps work from being done twice; correctness does not need it, so a lapse that both sides
/// see differently is harmless.
@ApplicationScoped
class PartitionTable {
    private static final String LIST = """
        INSERT INTO frame_partition (partition) SELECT generate_series(0, ? - 1)
        ON CONFLICT (partition) DO NOTHING\
        """;
    private static final String PRESENT = """
        INSERT INTO gateway_replica (id, heartbeat) VALUES (?, now())
        ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat\
        """;
    private static final String ABSENT = "DELETE FROM gateway_replica WHERE id = ?";
    private static final String FORGET = "DELETE FROM gateway_replica WHERE heartbeat < now() - interval '1 day'";
    private static final String BEAT = """
        UPDATE frame_partition AS held SET heartbeat = now(), resume_offset = own.resume
        FROM unnest(?, ?) AS own (partition, resume)
        WHERE held.partition = own.partition AND held.owner = ?
        RETURNING held.partition\
        """;
    private static final String STANDING = """
        SELECT (SELECT count(*) FROM gateway_replica WHERE heartbeat > now() - make_interval(secs => ?)), count(*)
        FROM frame_partition\
        """;
    /// Rows that somebody else is just claiming are passed over, so that gateways do not wait for one another.
    private static final String CLAIM = """
        WITH free AS MATERIALIZED (
            SELECT partition FROM frame_partition
            WHERE partition <> ALL (?)
                AND (owner IS NULL OR owner = ? OR heartbeat < now() - make_interval(secs => ?))
            ORDER BY (owner = ?) DESC NULLS LAST, random()
            LIMIT ? FOR UPDATE SKIP LOCKED)
        UPDATE frame_partition AS held SET owner = ?, heartbeat = now()
        FROM free WHERE held.partition = free.partition
        RETURNING held.partition, held.resume_offset\
        """;
    private static final String RELEASE = """
        UPDATE frame_partition AS held SET heartbeat = '-infinity', resume_offset = own.resume
        FROM unnest(?, ?) AS own (partition, resume)
        WHERE held.partition = own.partition AND held.owner = ?\
        """;

    private final DataSource database;

    @Inject
    PartitionTable(DataSource database) {
        this.database = database;
    }

    /// The numbers of partitions and gateways.
    ///
    /// @param kept which of its partitions the asking gateway still owns
    /// @param gateways that live, the asking one included
    /// @param partitions that there are
    record Standing(Set<Integer> kept, int gateways, int partitions) {
        /// The most partitions that a gateway owns while all live: shares of this size are enough for all partitions.
        int share() {
            return Math.ceilDiv(partitions, gateways);
        }
    }

    /// Makes so many partitions known; those that are there stay as they are.
    void list(int partitions) throws SQLException {
        try (var connection = database.getConnection();
                var list = connection.prepareStatement(LIST);
                var forget = connection.prepareStatement(FORGET)) {
            list.setInt(1, partitions);
            list.executeUpdate();
            forget.executeUpdate();
        }
    }

    /// Says that we live, and from where a successor would have to read each partition that we think is ours.
    Standing beat(String owner, Map<Integer, Long> resumeOffsets, Duration lapse) throws SQLException {
        try (var connection = database.getConnection()) {
            try (var present = connection.prepareStatement(PRESENT)) {
                present.setString(1, owner);
                present.executeUpdate();
            }
            var kept = new HashSet<Integer>();
            try (var beat = connection.prepareStatement(BEAT)) {
                setOffsets(beat, resumeOffsets, owner);
                try (var rows = beat.executeQuery()) {
                    while (rows.next()) {
                        kept.add(rows.getInt(1));
                    }
                }
            }
            try (var standing = connection.prepareStatement(STANDING)) {
                standing.setDouble(1, seconds(lapse));
                try (var row = standing.executeQuery()) {
                    row.next();
                    return new Standing(kept, Math.max(1, row.getInt(1)), row.getInt(2));
                }
            }
        }
    }

    /// Claims partitions that were ours before, are nobody's, or whose owner lapsed.
    ///
    /// @param but those that we have already
    /// @param most how many
    /// @param lapse how old the heartbeat of an owner must be
    /// @return for each claimed one the offset to read from
    Map<Integer, Long> claim(String owner, Collection<Integer> but, int most, Duration lapse) throws SQLException {
        try (var connection = database.getConnection();
                var claim = connection.prepareStatement(CLAIM)) {
            claim.setArray(1, integers(connection, but));
            claim.setString(2, owner);
            claim.setDouble(3, seconds(lapse));
            claim.setString(4, owner);
            claim.setInt(5, most);
            claim.setString(6, owner);
            try (var rows = claim.executeQuery()) {
                return claimed(rows);
            }
        }
    }

    private static Map<Integer, Long> claimed(ResultSet rows) throws SQLException {
        var claimed = new HashMap<Integer, Long>();
        while (rows.next()) {
            claimed.put(rows.getInt(1), rows.getLong(2));
        }
        return claimed;
    }

    /// Gives partitions back, so that nobody has to wait for a lapse.
    void release(String owner, Map<Integer, Long> resumeOffsets) throws SQLException {
        try (var connection = database.getConnection();
                var release = connection.prepareStatement(RELEASE)) {
            setOffsets(release, resumeOffsets, owner);
            release.executeUpdate();
        }
    }

    /// Says that we are leaving, so that our share goes to the others.
    void leave(String owner) throws SQLException {
        try (var connection = database.getConnection();
                var absent = connection.prepareStatement(ABSENT)) {
            absent.setString(1, owner);
            absent.executeUpdate();
        }
    }

    private static void setOffsets(PreparedStatement statement, Map<Integer, Long> resumeOffsets, String owner)
            throws SQLException {
        var connection = statement.getConnection();
        var partitions = resumeOffsets.keySet().stream().sorted().toList();
        statement.setArray(1, integers(connection, partitions));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "bigint", partitions.stream().map(resumeOffsets::get).toArray()));
        statement.setString(3, owner);
    }

    private static Array integers(Connection connection, Collection<Integer> numbers) throws SQLException {
        return connection.createArrayOf("integer", numbers.toArray());
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
