package dev.counterpoint.audit.log;

import dev.counterpoint.audit.AuditTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// A copy of the tables of the audit log, which a test puts back as a backup is.
record KeptLog(String name) {
    private static final String EVENT = "id, arrival, body, personal, personal_salt, removed_by, salt, mac, log_index";
    private static final String LETTER =
            "id, topic, partition, kafka_offset, received_at, cause, body, salt, mac, log_index";
    private static final List<String> TABLES =
            List.of("event", "trace_record", "dead_letter", "log_leaf", "log_tile", "log_head", "tenant_head");

    static KeptLog of(String kind) {
        var name = kind + System.nanoTime();
        var sql = new StringBuilder("begin isolation level repeatable read;"); // the service may write meanwhile
        TABLES.forEach(table -> sql.append("create table %2$s_%1$s as select * from %1$s;".formatted(table, name)));
        AuditTables.execute(sql.append("commit").toString());
        return new KeptLog(name);
    }

    /// Lets the service number and publish no row until the connection is closed. Needed where tables are changed and
    /// put back: what was published meanwhile would be missing in them.
    static Connection pause() throws SQLException {
        var connection = AuditTables.connect();
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(hashtextextended('audit-log', 1))");
        }
        return connection;
    }

    /// In one transaction.
    void putBack() {
        var sql = new StringBuilder();
        for (var table : TABLES) {
            var columns = table.equals("event") ? EVENT : table.equals("dead_letter") ? LETTER : "*";
            var into = columns.equals("*") ? "" : " (" + columns + ")";
            sql.append("delete from %1$s; insert into %1$s%2$s overriding system value select %3$s from %4$s_%1$s;"
                    .formatted(table, into, columns, name));
        }
        AuditTables.execute(sql.toString());
    }

    void drop() {
        TABLES.forEach(table -> AuditTables.execute("drop table " + name + "_" + table));
    }
}
