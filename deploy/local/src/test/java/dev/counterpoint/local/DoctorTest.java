package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.RepositoryRoot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A suite that does not run and has lost a secret.
class DoctorTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @SuppressWarnings("NullAway.Init")
    private StateFolder state;

    @BeforeEach
    void makeSecrets(@TempDir Path folder) {
        state = new StateFolder(folder);
        LocalSecrets.of(state);
        StaffIssuer.of(state);
    }

    @Test
    void aLostSecretIsNamedAndNotMadeAnew() throws IOException {
        // Given
        var lost = state.auditRootPassphrase();
        Files.delete(lost);
        // When
        boolean nothing = look();
        // Then
        assertThat(nothing).isFalse();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("secret-missing")
                .contains(lost.toString());
        assertThat(lost).doesNotExist();
    }

    @Test
    void aSuiteThatHasAllOfThemLacksNone() throws IOException {
        // When
        look();
        // Then
        assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("secret-missing");
    }

    private boolean look() throws IOException {
        var environment = Map.of("COUNTERPOINT_STATE", state.folder().toString());
        return new Doctor(RepositoryRoot.find(), environment, new PrintStream(out, true, StandardCharsets.UTF_8))
                .findsNothing();
    }
}
