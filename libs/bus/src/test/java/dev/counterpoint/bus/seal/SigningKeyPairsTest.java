package dev.counterpoint.bus.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import java.nio.file.Path;
import java.security.Signature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SigningKeyPairsTest {
    private static final byte[] TEXT = "a note\n".getBytes(UTF_8);

    @TempDir
    Path folder;

    @Test
    void theTwoHalvesBelongTogether() throws Exception {
        GenerateKeys.into(folder);

        var pair = SigningKeyPairs.load(folder, ServiceRole.AUDIT).getFirst();

        var signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(TEXT);
        var signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(TEXT);
        assertThat(signature.verify(signed)).isTrue();
        assertThat(SigningKeyPairs.load(folder, ServiceRole.GATEWAY).getFirst().getPublic())
                .isNotEqualTo(pair.getPublic());
    }

    @Test
    void aRotationHasBothKeysAndThePrimaryOneFirst() throws Exception {
        // Given
        GenerateKeys.into(folder);
        var rotation = new KeyRotation(folder, KeyRotation.Subject.SIGNATURES);
        var before = SigningKeyPairs.load(folder, ServiceRole.AUDIT).getFirst().getPublic();
        // When
        rotation.take("add");
        // Then
        var added = SigningKeyPairs.load(folder, ServiceRole.AUDIT);
        assertThat(added).hasSize(2);
        assertThat(added.getFirst().getPublic()).isEqualTo(before);
        // When
        rotation.take("promote");
        // Then
        var promoted = SigningKeyPairs.load(folder, ServiceRole.AUDIT);
        assertThat(promoted.getFirst().getPublic()).isEqualTo(added.getLast().getPublic());
        assertThat(promoted.getLast().getPublic()).isEqualTo(before);
    }
}
