package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys change while old content is still about.
class RotationTest {
    private static final String HPKE = "DHKEM_X25519_HKDF_SHA256_HKDF_SHA256_AES_256_GCM";
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
    private static final SealedReasoning.Header HEADER = new SealedReasoning.Header(10, 1);
    private static final List<String> ANALYSIS = List.of("thought");

    @TempDir
    Path parent;

    private Path before;
    private Path after;

    @BeforeEach
    void generate() throws IOException {
        before = parent.resolve("before");
        GenerateKeys.into(before);
        after = TestKeys.copy(before, parent.resolve("after"));
    }

    @Test
    void aRolesNewPrimaryOpensOldAndNewContent() throws IOException, GeneralSecurityException {
        // Given
        var sealedBefore = KeyRing.load(before, Role.GATEWAY).sealFor(Role.WORKER, CONTENT, "here");
        // When
        TestKeys.addKey(after.resolve(KeyRing.privateFile(Role.WORKER)), HPKE, true);
        TestKeys.publish(after, Role.WORKER);
        // Then
        var sealedAfter = KeyRing.load(after, Role.GATEWAY).sealFor(Role.WORKER, CONTENT, "here");
        var rotated = KeyRing.load(after, Role.WORKER);
        assertThat(rotated.open(sealedBefore, "here")).isEqualTo(CONTENT);
        assertThat(rotated.open(sealedAfter, "here")).isEqualTo(CONTENT);
        assertThatThrownBy(() -> KeyRing.load(before, Role.WORKER).open(sealedAfter, "here"))
                .isInstanceOf(SealException.class);
    }

    @Test
    void sealedReasoningOfTheOldKeysIsCheckedAndOpenedWithTheNew() throws IOException, GeneralSecurityException {
        // Given
        var blob = SealedReasoning.seal(ANALYSIS, HEADER, "turn", KeyRing.load(before, Role.WORKER));
        // When
        rotateReasoning(after, true);
        // Then
        var worker = KeyRing.load(after, Role.WORKER);
        assertThat(SealedReasoning.check(blob, "turn", 10, KeyRing.load(after, Role.GATEWAY)))
                .isEqualTo(HEADER);
        assertThat(SealedReasoning.open(blob, "turn", 10, worker)).isEqualTo(ANALYSIS);
        var fresh = SealedReasoning.seal(ANALYSIS, HEADER, "turn", worker);
        assertThat(SealedReasoning.open(fresh, "turn", 10, worker)).isEqualTo(ANALYSIS);
    }

    @Test
    void aKeyThatIsSpreadBeforeItBecomesPrimaryLosesNothingMeanwhile() throws IOException, GeneralSecurityException {
        // Given every service with the new key beside the old primary
        rotateReasoning(after, false);
        var spread = KeyRing.load(after, Role.WORKER);
        // Then whoever has not restarted yet opens what they seal
        var blob = SealedReasoning.seal(ANALYSIS, HEADER, "turn", spread);
        assertThat(SealedReasoning.open(blob, "turn", 10, KeyRing.load(before, Role.WORKER)))
                .isEqualTo(ANALYSIS);
    }

    private static void rotateReasoning(Path folder, boolean primary) throws IOException, GeneralSecurityException {
        TestKeys.addKey(folder.resolve(KeyRing.REASONING_KEYS), "AES256_GCM", primary);
        TestKeys.addKey(folder.resolve(KeyRing.REASONING_MAC), "HMAC_SHA256_256BITTAG", primary);
    }
}
