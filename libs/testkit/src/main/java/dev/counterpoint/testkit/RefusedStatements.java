package dev.counterpoint.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What no service may do in its database, and a look at what PostgreSQL says to it.
public final class RefusedStatements {
    /// PostgreSQL's code for a missing privilege, and for a missing role's membership.
    public static final String NO_PRIVILEGE = "42501";

    /// For every service alike.
    public static final List<String> ALWAYS = List.of(
            "create table mine (id text)",
            "create schema mine",
            "create temporary table mine (id text)",
            "create role thief superuser",
            "create database mine",
            "create extension file_fdw",
            "alter system set log_statement = 'all'",
            "set session_replication_role = replica",
            "set role postgres",
            "select pg_read_file('postgresql.conf')",
            "select pg_ls_dir('.')",
            "select rolpassword from pg_authid",
            "copy (select 1) to program 'cat'",
            "copy (select 1) to '/tmp/out'",
            "select lo_import('/etc/hostname')",
            "select * from flyway_schema_history",
            "delete from flyway_schema_history");

    private RefusedStatements() {}

    /// The SQL state with which the database refuses a statement, or null when it does not. Nothing is kept.
    ///
    /// @param before statements on the same connection
    public static @Nullable String stateOf(TestPostgres.Database as, String statement, String... before)
            throws SQLException {
        try (Connection connection = DriverManager.getConnection(as.jdbcUrl(), as.user(), as.password());
                var run = connection.createStatement()) {
            // Some run in no transaction, and are refused before that is found.
            boolean alone = statement.startsWith("create database") || statement.startsWith("alter system");
            connection.setAutoCommit(alone);
            for (var first : before) {
                run.execute(first);
            }
            try {
                run.execute(statement);
                return null;
            } catch (SQLException refused) {
                return refused.getSQLState();
            } finally {
                if (!alone) {
                    connection.rollback();
                }
            }
        }
    }
}
