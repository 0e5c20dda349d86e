package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSecretsTest {
    @TempDir
    Path folder;

    @Test
    void staysTheSameFromStartToStart() {
        // Given
        var state = StateFolder.in(folder.resolve(".state"));
        // When
        var first = LocalSecrets.of(state);
        // Then
        assertThat(LocalSecrets.of(state)).isEqualTo(first);
        assertThat(first.apiKey()).matches("cp-[A-Za-z0-9_-]{43}").isNotEqualTo(first.rawApiKey());
        assertThat(first.adminToken()).matches("[A-Za-z0-9_-]{43}");
    }

    @Test
    void seedsAKeyForSummariesAndOneForRawReasoning() {
        // Given
        var state = StateFolder.in(folder.resolve(".state"));
        // When
        var secrets = LocalSecrets.of(state);
        // Then
        assertThat(state.bootstrapKeys())
                .hasContent("local " + secrets.apiKey() + " reasoning:summary\n" + "local " + secrets.rawApiKey()
                        + " reasoning:summary,reasoning:raw\n");
    }

    @Test
    void makesAPassphraseForTheAuditServicesRootKeyset() {
        // Given
        var state = StateFolder.in(folder.resolve(".state"));
        // When
        LocalSecrets.of(state);
        // Then
        assertThat(state.auditRootPassphrase()).content().matches("[A-Za-z0-9_-]{43}\n");
    }

    @Test
    void makesSealingKeysThatEveryServiceCanLoad() {
        // Given
        var state = StateFolder.in(folder.resolve(".state"));
        // When
        LocalSecrets.of(state);
        // Then
        for (ServiceRole role : ServiceRole.values()) {
            assertThat(KeyRing.load(state.sealingKeys(), role)).isNotNull();
        }
    }

    @Test
    void letsNobodyElseReadThem() throws Exception {
        // Given
        var state = StateFolder.in(folder.resolve(".state"));
        // When
        LocalSecrets.of(state);
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
        var secrets = LocalSecrets.of(StateFolder.in(folder.resolve(".state")));
        // Then
        assertThat(secrets.toString()).doesNotContain(secrets.apiKey()).doesNotContain(secrets.postgresPassword());
    }
}
