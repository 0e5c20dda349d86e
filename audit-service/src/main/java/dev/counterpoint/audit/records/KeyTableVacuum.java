package dev.counterpoint.audit.records;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rewrites the partition of the keys that an erasure deleted. A deleted row is gone for every query at once, but
/// PostgreSQL leaves its bytes in the file until another row takes their place.
@ApplicationScoped
public class KeyTableVacuum {
    private static final int PARTITIONS = 256;
    private static final Logger LOG = LoggerFactory.getLogger(KeyTableVacuum.class);

    private final ErasureStore erasures;
    private final DataSource database;

    KeyTableVacuum(ErasureStore erasures, DataSource database) {
        this.erasures = erasures;
        this.database = database;
    }

    /// Rewrites the partitions when an erasure is not purged yet. When that fails, the next run tries again.
    @Scheduled(
            every = "30s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    public void runIfDue() {
        try {
            var due = erasures.notPurged();
            if (!due.isEmpty()) {
                rewrite(erasures.keyPartitions(due));
                erasures.purged(due);
                LOG.info("purged erasures={}", due.size());
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("purge is due again cause={}", e.getClass().getSimpleName());
        }
    }

    /// Rewrites all partitions.
    void rewriteAll() throws SQLException {
        rewrite(IntStream.range(0, PARTITIONS).boxed().toList());
    }

    /// On a connection of its own: PostgreSQL refuses `vacuum` within a transaction, which Panache always opens.
    private void rewrite(List<Integer> partitions) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("set role counterpoint_audit_staff");
            statement.execute("set lock_timeout = '5s'");
            try {
                for (int partition : partitions) {
                    statement.execute("vacuum (full) data_key_" + partition);
                }
            } finally {
                statement.execute("reset lock_timeout");
                statement.execute("reset role");
            }
        }
    }
}
