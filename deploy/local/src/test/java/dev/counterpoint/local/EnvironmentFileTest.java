package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentFileTest {
    @TempDir
    Path folder;

    @Test
    void canBeSourcedByAShellAndReadBack() throws Exception {
        // Given
        Path file = folder.resolve("env");
        var values = Map.of("COUNTERPOINT_URL", "http://127.0.0.1:8080", "COUNTERPOINT_API_KEY", "cp-$HOME");
        // When
        EnvironmentFile.write(file, values);
        // Then
        assertThat(EnvironmentFile.read(file)).isEqualTo(values);
        var shell = new ProcessBuilder(
                        "sh", "-c", ". \"$1\"; printf %s \"$COUNTERPOINT_API_KEY\"", "sh", file.toString())
                .start();
        assertThat(shell.inputReader().readLine()).isEqualTo("cp-$HOME");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void refusesAValueThatWouldBreakOutOfItsQuotes() {
        assertThatThrownBy(() -> EnvironmentFile.write(folder.resolve("env"), Map.of("NAME", "a'; rm -rf /; '")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
