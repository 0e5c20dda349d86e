package dev.counterpoint.audit.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AuditDatabaseBeansTest {
    @Test
    void asksForAColumnOfTheNewestMigration() throws IOException {
        // Given
        try (var files = Files.list(Path.of("src/main/resources/db/migration"))) {
            var newest = files.max(Comparator.comparingInt(AuditDatabaseBeansTest::number))
                    .orElseThrow();
            // When
            var sql = Files.readString(newest);
            // Then
            assertThat(sql).contains(AuditDatabaseBeans.NEWEST.split("[.]"));
        }
    }

    private static int number(Path migration) {
        return Integer.parseInt(Objects.toString(migration.getFileName()).replaceFirst("^V(\\d+)__.*", "$1"));
    }
}
