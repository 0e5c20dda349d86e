package dev.counterpoint.gateway.store;

import io.quarkus.narayana.jta.QuarkusTransaction;
import java.util.function.IntUnaryOperator;

/// A task that takes some rows at a time, each batch in a transaction of its own, so that nobody waits long for a row.
///
/// @param rowsMax rows of a batch
/// @param batch works on so many rows at most, and returns 0 when none is left
public record BatchTask(String name, int rowsMax, IntUnaryOperator batch) implements HousekeepingTask {
    private static final int DELETED_AT_ONCE = 500;
    private static final int BATCHES_MAX = 10_000;

    /// Deletes the rows of a table that meet a condition. Rows that somebody else holds are left for the next run.
    ///
    /// @param condition SQL
    public static BatchTask deleting(String table, String condition, Sql sql) {
        var delete = """
                delete from %1$s where ctid = any(array(
                    select ctid from %1$s where %2$s limit ? for update skip locked))""".formatted(table, condition);
        return new BatchTask(
                "delete-" + table,
                DELETED_AT_ONCE,
                most -> sql.as(Sql.EVERY_TENANT).update(delete, most));
    }

    @Override
    public void run() {
        for (int i = 0; i < BATCHES_MAX; i++) {
            if (QuarkusTransaction.requiringNew().call(() -> batch.applyAsInt(rowsMax)) == 0) {
                return;
            }
        }
    }
}
