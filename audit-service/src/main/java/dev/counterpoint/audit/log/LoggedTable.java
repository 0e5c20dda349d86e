package dev.counterpoint.audit.log;

import java.util.List;

/// A table whose rows get leaves. It has the columns `salt`, `mac` and `log_index`. Methods need an open
/// transaction.
public interface LoggedTable {
    /// Its name in the database and in leaves.
    String name();

    /// The column that names a row.
    String key();

    /// Rows without a leaf, in the order in which they came.
    List<LoggedRow> waiting(int atMost);

    /// Rows with a leaf from one index to another.
    List<LoggedRow> between(long from, long to);
}
