package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GenerateKeysTest {
    @TempDir
    Path parent;

    @Test
    void nobodyButTheOwnerReadsTheFolderAndTheFiles() throws IOException {
        // Given
        var folder = parent.resolve("new/keys");
        // When
        GenerateKeys.into(folder);
        // Then
        assertThat(permissions(folder)).isEqualTo("rwx------");
        assertThat(contents(folder)).hasSize(19);
        for (var name : contents(folder).keySet()) {
            assertThat(permissions(folder.resolve(name))).as(name).isEqualTo("rw-------");
        }
    }

    @Test
    void aSecondRunChangesNothing() throws IOException {
        // Given
        GenerateKeys.into(parent);
        var before = contents(parent);
        // When
        GenerateKeys.into(parent);
        // Then
        assertThat(contents(parent)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(ServiceRole.class)
    void aLostPublicKeyIsWrittenAnewFromThePrivateOne(ServiceRole role) throws IOException {
        // Given
        GenerateKeys.into(parent);
        var before = contents(parent);
        Files.delete(parent.resolve(KeyRing.publicFile(role)));
        // When
        GenerateKeys.into(parent);
        // Then
        assertThat(contents(parent)).isEqualTo(before);
    }

    @Test
    void aPublicKeyWhosePrivateOneIsKeptElsewhereStays() throws IOException {
        // Given
        GenerateKeys.into(parent);
        var before = contents(parent);
        before.remove("worker.private.json");
        Files.delete(parent.resolve("worker.private.json"));
        // When
        GenerateKeys.into(parent);
        // Then
        assertThat(contents(parent)).isEqualTo(before);
    }

    @Test
    void whatAnInterruptedRunLeftBehindDoesNotDisturb() throws IOException {
        Files.writeString(parent.resolve("gateway.private.json.new"), "half a key");

        GenerateKeys.into(parent);

        var ring = KeyRing.load(parent, ServiceRole.GATEWAY);
        var content = "content".getBytes(StandardCharsets.UTF_8);
        assertThat(ring.open(ring.sealFor(ServiceRole.GATEWAY, content, ""), ""))
                .isEqualTo(content);
        assertThat(parent.resolve("gateway.private.json.new")).doesNotExist();
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        var contents = new TreeMap<String, String>();
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }
}
