package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.DatabaseRoles;
import dev.counterpoint.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Rows from before rows had projects.
class ProjectMigrationIT {
    private static final int ROWS_OF_PROJECTS = 13;

    @Test
    @DisplayName("M5 rows that are there get the project of the key that made them")
    void rowsThatAreThereGetTheProjectOfTheKeyThatMadeThem() throws Exception {
        // Given
        var owner = TestPostgres.shared().newDatabase(DatabaseRoles.GATEWAY).owner();
        try (var connection = DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
                var statement = connection.createStatement()) {
            run(statement, 1, ROWS_OF_PROJECTS - 1);
            statement.execute("""
                    insert into tenant (id, name, created_at) values ('t1', 'one', now()), ('t2', 'two', now());
                    insert into api_key (id, tenant_id, name, hash, prefix, scopes, audit, created_at, project) values
                        ('k1', 't1', 'a', '1', '', '', 'ASK', now(), 'search'),
                        ('k2', 't1', 'b', '2', '', '', 'ASK', now(), 'default'),
                        ('k3', 't2', 'c', '3', '', '', 'ASK', now(), 'alone');
                    insert into conversation (id, tenant_id, created_at, expires_at) values
                        ('said', 't1', now(), now()), ('mixed', 't1', now(), now()),
                        ('empty', 't1', now(), now()), ('alone', 't2', now(), now());
                    insert into response (id, tenant_id, key_id, created_at, status, model, background, stored,
                        expires_at, conversation_id)
                    select id, 't1', key, now(), 'completed', 'm', false, true, now(), conversation
                    from (values ('r1', 'k1', 'said'), ('r2', 'k1', 'mixed'), ('r3', 'k2', 'mixed'),
                        ('r4', 'k-gone', null)) made (id, key, conversation)""");
            // When
            run(statement, ROWS_OF_PROJECTS, ROWS_OF_PROJECTS);
            // Then
            assertThat(projects(statement, "response"))
                    .isEqualTo(Map.of("r1", "search", "r2", "search", "r3", "default", "r4", "default"));
            assertThat(projects(statement, "conversation"))
                    .isEqualTo(Map.of("said", "search", "mixed", "default", "empty", "default", "alone", "alone"));
        }
    }

    private static Map<String, String> projects(Statement statement, String table) throws SQLException {
        var projects = new TreeMap<String, String>();
        try (var rows = statement.executeQuery("select id, project from " + table)) {
            while (rows.next()) {
                projects.put(rows.getString(1), rows.getString(2));
            }
        }
        return projects;
    }

    private static void run(Statement statement, int first, int last) throws IOException, SQLException {
        for (int version = first; version <= last; version++) {
            try (var files =
                    Files.newDirectoryStream(Path.of("src/main/resources/db/migration"), "V" + version + "__*.sql")) {
                for (var file : files) {
                    statement.execute(Files.readString(file));
                }
            }
        }
    }
}
