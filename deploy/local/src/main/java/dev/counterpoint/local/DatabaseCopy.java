package dev.counterpoint.local;

import dev.counterpoint.infra.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Lets a script copy PostgreSQL's files while the server serves, by its low-level interface for backups
/// (<https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP>). In turns with the
/// script, which answers each line `copy …` by a line of its own:
///
/// * `copy files`: all but `pg_wal`, in any order, while they change
/// * the text of the file `backup_label`, then `copy log`: the folder `pg_wal`
///
/// A temporary replication slot keeps what the copy wants of the log until then.
final class DatabaseCopy {
    private DatabaseCopy() {}

    /// @param script whose lines say that it has copied
    /// @param turns what it copies next
    /// @throws IOException when the script ends before its last turn
    static void run(String postgres, String password, BufferedReader script, PrintStream turns)
            throws SQLException, IOException {
        try (var connection = DriverManager.getConnection(
                        "jdbc:postgresql://" + postgres + "/postgres", PostgresServer.USER, password);
                var statement = connection.createStatement()) {
            text(statement, "select pg_create_physical_replication_slot('counterpoint_copy', true, true)::text");
            text(statement, "select pg_backup_start('counterpoint', true)::text");
            await(script, turns, "copy files");
            turns.print(text(statement, "select labelfile from pg_backup_stop(false)"));
            await(script, turns, "copy log");
        }
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void await(BufferedReader script, PrintStream turns, String turn) throws IOException {
        turns.println(turn);
        if (script.readLine() == null) {
            throw new IOException("the script has ended");
        }
    }
}
