package dev.counterpoint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.testkit.TestPostgres.Database;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class TestPostgresIT {
    @Test
    void answersAsPostgresEighteen() throws Exception {
        assertThat(ask(TestPostgres.shared().main(), "select 1")).isEqualTo("1");
        assertThat(ask(TestPostgres.shared().main(), "show server_version")).startsWith("18");
    }

    @Test
    void givesEveryTestADatabaseOfItsOwn() throws Exception {
        // Given
        Database mine = TestInfra.postgres().newDatabase("gateway-it");
        Database yours = TestInfra.postgres().newDatabase("gateway-it");
        // When
        run(mine, "create table answer (text text)");
        // Then
        assertThat(ask(mine, "select count(*) from answer")).isEqualTo("0");
        assertThatThrownBy(() -> ask(yours, "select count(*) from answer")).isInstanceOf(SQLException.class);
    }

    @Test
    void wantsThePassword() {
        Database main = TestPostgres.shared().main();
        assertThatThrownBy(() -> ask(new Database(main.jdbcUrl(), main.user(), "guessed"), "select 1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password");
    }

    @Test
    void comesBackFromAKillUnderTheSameAddressWithItsRows() throws Exception {
        try (var postgres = TestPostgres.start()) {
            // Given
            run(postgres.main(), "create table kept as select 42 as answer");
            run(postgres.main(), "checkpoint");
            // When
            postgres.kill();
            postgres.restart();
            // Then
            assertThat(ask(postgres.main(), "select answer from kept")).isEqualTo("42");
        }
    }

    static String ask(Database database, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    static void run(Database database, String command) throws SQLException {
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement()) {
            statement.execute(command);
        }
    }
}
