package dev.counterpoint.local.faults;

import dev.counterpoint.local.LaunchedSuite;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the tables of the suite hold, read as their superuser.
final class FinalTables {
    static final String GATEWAY = "gateway";
    static final String AUDIT = "audit";
    private static final String USER = "postgres";

    private final LaunchedSuite suite;

    FinalTables(LaunchedSuite suite) {
        this.suite = suite;
    }

    /// A row of a response or a chat completion.
    ///
    /// @param id with its prefix, as clients know it
    /// @param response JSON; null while it runs, and after a deletion
    record Row(String id, String status, @Nullable String response, boolean finished, boolean deleted) {
        String bareId() {
            return id.substring(id.indexOf('-') >= 0 ? id.indexOf('-') + 1 : id.indexOf('_') + 1);
        }
    }

    /// A record of the audit service.
    record Trace(String response, String status) {}

    /// Makes a row of the result's current one.
    private interface Reader<R> {
        R read(ResultSet row) throws SQLException;
    }

    List<Row> rows() {
        return select(
                GATEWAY,
                "select id, status, response, finished_at is not null, deleted_at is not null from response",
                row -> new Row(
                        row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4), row.getBoolean(5)));
    }

    List<Trace> traces() {
        return select(
                AUDIT,
                "select distinct on (1) split_part(response, '.', 1), status from trace_record order by 1, partial",
                row -> new Trace(row.getString(1), row.getString(2)));
    }

    /// Responses of whose raw reasoning it stands on record that somebody was shown it.
    List<String> shown() {
        return select(
                AUDIT, "select response from event where action = 'raw_reasoning_shown'", row -> row.getString(1));
    }

    private <R> List<R> select(String database, String query, Reader<R> reader) {
        try (var connection = connect(database);
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            var rows = new ArrayList<R>();
            while (found.next()) {
                rows.add(reader.read(found));
            }
            return rows;
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot read the database " + database, failure);
        }
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(suite.jdbcUrl(database), USER, suite.postgresPassword());
    }
}
