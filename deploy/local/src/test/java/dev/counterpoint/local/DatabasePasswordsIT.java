package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.infra.FreePort;
import dev.counterpoint.infra.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabasePasswordsIT {
    private static final String ROLE = DatabaseRoles.GATEWAY.user();

    @TempDir
    Path folder;

    private StateFolder state;
    private LocalSecrets old;
    private PostgresServer server;
    private String url;

    @BeforeEach
    void start() {
        state = StateFolder.in(folder.resolve("state"));
        old = LocalSecrets.of(state);
        int port = FreePort.find();
        url = "jdbc:postgresql://127.0.0.1:" + port;
        server = PostgresServer.start(new PostgresServer.Settings(
                folder.resolve("data"), port, old.postgresPassword(), false, folder.resolve("postgres.log")));
        server.createDatabases(List.of(DatabaseRoles.values()), old::databasePassword);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Connection connect(String user, String password) throws SQLException {
        return DriverManager.getConnection(url + "/gateway", user, password);
    }

    private void assertAllHaveNewPasswords() throws SQLException {
        var now = LocalSecrets.of(state);
        assertThat(now.postgresPassword()).isNotEqualTo(old.postgresPassword());
        connect(ROLE, now.databasePassword(ROLE)).close();
        connect(PostgresServer.USER, now.postgresPassword()).close();
        assertThatThrownBy(() -> connect(ROLE, old.databasePassword(ROLE))).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> connect(PostgresServer.USER, old.postgresPassword()))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void allGetNewPasswordsAndOpenConnectionsGoOn() throws SQLException {
        try (var open = connect(ROLE, old.databasePassword(ROLE))) {
            // When
            DatabasePasswords.change(state, url);
            // Then
            assertThat(open.isValid(5)).isTrue();
        }
        assertAllHaveNewPasswords();
    }

    @Test
    void anInterruptedChangeIsFinishedByTheNext() throws SQLException {
        // Given: the server has the new password, and the owner has not taken it yet
        var next = old.withNextPostgresPassword(state);
        try (var superuser = connect(PostgresServer.USER, old.postgresPassword());
                var statement = superuser.createStatement()) {
            statement.execute("alter role postgres password '" + next.postgresPassword() + "'");
        }
        // When
        DatabasePasswords.change(state, url);
        // Then
        assertThat(LocalSecrets.of(state)).isEqualTo(next);
        assertAllHaveNewPasswords();
    }
}
