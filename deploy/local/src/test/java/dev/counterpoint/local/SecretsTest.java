package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.seal.KeyRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
    @TempDir
    Path folder;

    @Test
    void staysTheSameFromStartToStart() {
        // Given
        var state = State.in(folder.resolve(".state"));
        // When
        var first = Secrets.of(state);
        // Then
        assertThat(Secrets.of(state)).isEqualTo(first);
        assertThat(first.apiKey()).matches("cp-[A-Za-z0-9_-]{43}").isNotEqualTo(first.rawApiKey());
        assertThat(first.adminToken()).matches("[A-Za-z0-9_-]{43}");
    }

    @Test
    void seedsAKeyForSummariesAndOneForRawReasoning() {
        // Given
        var state = State.in(folder.resolve(".state"));
        // When
        var secrets = Secrets.of(state);
        // Then
        assertThat(state.bootstrapKeys())
                .hasContent("local " + secrets.apiKey() + " reasoning:summary\n" + "local " + secrets.rawApiKey()
                        + " reasoning:summary,reasoning:raw\n");
    }

    @Test
    void makesAPassphraseForTheAuditServicesRootKeyset() {
        // Given
        var state = State.in(folder.resolve(".state"));
        // When
        Secrets.of(state);
        // Then
        assertThat(state.auditRootPassphrase()).content().matches("[A-Za-z0-9_-]{43}\n");
    }

    @Test
    void makesSealingKeysThatEveryServiceCanLoad() {
        // Given
        var state = State.in(folder.resolve(".state"));
        // When
        Secrets.of(state);
        // Then
        for (Role role : Role.values()) {
            assertThat(KeyRing.load(state.sealingKeys(), role)).isNotNull();
        }
    }

    @Test
    void letsNobodyElseReadThem() throws Exception {
        // Given
        var state = State.in(folder.resolve(".state"));
        // When
        Secrets.of(state);
        // Then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.secrets())))
                .isEqualTo("rwx------");
        try (var files = Files.list(state.secrets()).filter(Files::isRegularFile)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void doesNotShowThemWhenPrinted() {
        // Given
        var secrets = Secrets.of(State.in(folder.resolve(".state")));
        // Then
        assertThat(secrets.toString()).doesNotContain(secrets.apiKey()).doesNotContain(secrets.postgresPassword());
    }
}
