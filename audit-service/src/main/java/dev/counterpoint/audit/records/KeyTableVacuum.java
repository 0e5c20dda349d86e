package dev.counterpoint.audit.records;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/// Writes the table of keys anew after an erasure. A deleted row is gone for every query at once, but PostgreSQL leaves
/// its bytes in the file until something else takes the place.
@ApplicationScoped
public class KeyTableVacuum {
    private static final Logger LOG = Logger.getLogger(KeyTableVacuum.class);

    private final ErasureStore erasures;
    private final DataSource database;

    @Inject
    KeyTableVacuum(ErasureStore erasures, DataSource database) {
        this.erasures = erasures;
        this.database = database;
    }

    /// Does what is due; what fails is due again.
    @Scheduled(
            every = "30s",
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP,
            skipExecutionIf = Scheduled.ApplicationNotRunning.class)
    @RunOnVirtualThread
    void repeat() {
        try {
            run();
        } catch (SQLException | RuntimeException e) {
            LOG.warnf("purge is due again cause=%s", e.getClass().getSimpleName());
        }
    }

    /// @throws SQLException when the database does not answer, or others hold the table for too long
    public void run() throws SQLException {
        var due = erasures.notPurged();
        if (due.isEmpty()) {
            return;
        }
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("set lock_timeout = '5s'");
            try {
                statement.execute("vacuum (full) data_key");
            } finally {
                statement.execute("reset lock_timeout");
            }
        }
        erasures.purged(due);
        LOG.infof("purged erasures=%d", due.size());
    }
}
