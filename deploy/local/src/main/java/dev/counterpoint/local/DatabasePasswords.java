package dev.counterpoint.local;

import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/// Changes the password of the databases' superuser, and with it those of all roles, which are made from it. Open
/// connections go on; a new one needs the new password, so services are restarted right after. After an interruption
/// the next try takes the same new password and finishes the change.
final class DatabasePasswords {
    /// PostgreSQL's code for a password that is not the account's.
    private static final String WRONG_PASSWORD = "28P01";

    private DatabasePasswords() {}

    /// @param server as in `jdbc:postgresql://127.0.0.1:5432`
    static void change(StateFolder state, String server) throws SQLException {
        var before = LocalSecrets.of(state);
        var after = before.withNextPostgresPassword(state);
        try (var superuser = connected(server, before, after)) {
            DatabaseRoles.create(superuser, after::databasePassword);
            DatabaseRoles.setPassword(superuser, PostgresServer.USER, after.postgresPassword());
        }
        LocalSecrets.takeNextPostgresPassword(state);
    }

    private static Connection connected(String server, LocalSecrets before, LocalSecrets after) throws SQLException {
        try {
            return connected(server, before);
        } catch (SQLException refused) {
            if (!WRONG_PASSWORD.equals(refused.getSQLState())) {
                throw refused;
            }
            return connected(server, after);
        }
    }

    private static Connection connected(String server, LocalSecrets secrets) throws SQLException {
        return DriverManager.getConnection(
                server + "/" + PostgresServer.USER, PostgresServer.USER, secrets.postgresPassword());
    }
}
