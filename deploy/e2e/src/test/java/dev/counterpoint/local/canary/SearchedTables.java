package dev.counterpoint.local.canary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.postgresql.PGConnection;

/// Reads every row of every table of a PostgreSQL server, as its superuser.
final class SearchedTables {
    private static final String USER = "postgres";
    private static final String DATABASES = "select datname from pg_database where datallowconn and not datistemplate";
    private static final String TABLES = """
            select format('%I.%I', schemaname, tablename) from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema')
            union all select 'pg_catalog.pg_largeobject'""";

    private final UnaryOperator<String> jdbcUrl;
    private final String password;

    /// @param jdbcUrl of a database by its name
    SearchedTables(UnaryOperator<String> jdbcUrl, String password) {
        this.jdbcUrl = jdbcUrl;
        this.password = password;
    }

    /// Looks through all columns in their binary form, which nothing compresses. The source is `database schema.table`.
    ///
    /// @return rows by source
    Map<String, Long> search(Search search) {
        var rows = new TreeMap<String, Long>();
        for (var database : names(USER, DATABASES)) {
            for (var table : names(database, TABLES)) {
                rows.put(database + " " + table, rows(database, table, search));
            }
        }
        return rows;
    }

    private long rows(String database, String table, Search search) {
        try (var connection = connect(database);
                var source = search.source(SearchedPlace.TABLE, database + " " + table)) {
            var copy = connection.unwrap(PGConnection.class).getCopyAPI();
            return copy.copyOut("copy (select * from " + table + ") to stdout (format binary)", source);
        } catch (SQLException failure) {
            throw new IllegalStateException("cannot read " + table + " of " + database, failure);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private List<String> names(String database, String query) {
        try (var connection = connect(database);
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            var names = new ArrayList<String>();
            while (found.next()) {
                names.add(found.getString(1));
            }
            return names;
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /// Has all changes written to the files of the tables.
    void checkpoint() {
        execute(USER, "checkpoint");
    }

    void execute(String database, String statement) {
        try (var connection = connect(database);
                var executed = connection.createStatement()) {
            executed.execute(statement);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl.apply(database), USER, password);
    }
}
