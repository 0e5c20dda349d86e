package dev.counterpoint.gateway.stream;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/// Who owns which partition of `frames`: rows in PostgreSQL with a heartbeat. Ownership keeps work from being
/// done twice; correctness does not need it, so a lapse that both sides see differently is harmless.
@ApplicationScoped
class PartitionTable {
    private static final String CLAIM = """
            INSERT INTO frame_partition AS held (partition, owner, heartbeat, resume_offset) VALUES (?, ?, now(), 0)
            ON CONFLICT (partition) DO UPDATE SET owner = excluded.owner, heartbeat = now()
            WHERE held.owner = excluded.owner OR held.heartbeat < now() - make_interval(secs => ?)
            RETURNING resume_offset""";
    private static final String BEAT =
            "UPDATE frame_partition SET heartbeat = now(), resume_offset = ? WHERE partition = ? AND owner = ?";
    private static final String RELEASE =
            "UPDATE frame_partition SET heartbeat = '-infinity', resume_offset = ? WHERE partition = ? AND owner = ?";

    private final DataSource database;

    @Inject
    PartitionTable(DataSource database) {
        this.database = database;
    }

    /// Claims up to `wanted` of `partitions` that are ours already, nobody's, or whose owner lapsed.
    ///
    /// @return for each claimed one the offset to read from
    Map<Integer, Long> claim(String owner, int partitions, int wanted, Duration lapse) throws SQLException {
        var order = new ArrayList<>(IntStream.range(0, partitions).boxed().toList());
        Collections.shuffle(order);
        Map<Integer, Long> claimed = new HashMap<>();
        try (var connection = database.getConnection()) {
            var own = ownedBefore(connection, owner);
            order.sort((a, b) -> Boolean.compare(own.contains(b), own.contains(a)));
            try (var statement = connection.prepareStatement(CLAIM)) {
                for (int partition : order) {
                    if (claimed.size() == wanted) {
                        break;
                    }
                    statement.setInt(1, partition);
                    statement.setString(2, owner);
                    statement.setDouble(3, lapse.toMillis() / 1000.0);
                    try (var row = statement.executeQuery()) {
                        if (row.next()) {
                            claimed.put(partition, row.getLong(1));
                        }
                    }
                }
            }
        }
        return claimed;
    }

    private static List<Integer> ownedBefore(Connection connection, String owner) throws SQLException {
        var own = new ArrayList<Integer>();
        try (var statement = connection.prepareStatement("SELECT partition FROM frame_partition WHERE owner = ?")) {
            statement.setString(1, owner);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    own.add(rows.getInt(1));
                }
            }
        }
        return own;
    }

    /// Says that we live and from where a successor would have to read.
    void beat(String owner, Map<Integer, Long> resumeOffsets) throws SQLException {
        update(BEAT, owner, resumeOffsets);
    }

    /// Gives partitions back, so that nobody has to wait for a lapse.
    void release(String owner, Map<Integer, Long> resumeOffsets) throws SQLException {
        update(RELEASE, owner, resumeOffsets);
    }

    private void update(String sql, String owner, Map<Integer, Long> resumeOffsets) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(sql)) {
            for (var entry : resumeOffsets.entrySet()) {
                statement.setLong(1, entry.getValue());
                statement.setInt(2, entry.getKey());
                statement.setString(3, owner);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }
}
