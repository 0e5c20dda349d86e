package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.BusProto;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys change while old content is still about.
class RotationTest {
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
    private static final byte[] MESSAGE =
            BusProto.SealedTokens.newBuilder().addTokens(1).build().toByteArray();
    private static final SealedReasoning.Header HEADER = new SealedReasoning.Header(10, 1, "");
    private static final SealedReasoning.Turn TURN = new SealedReasoning.Turn("turn", "");
    private static final int[] SAMPLED = {35644, 200008};

    @TempDir
    Path parent;

    private Path before;
    private Path after;

    @BeforeEach
    void generate() throws IOException {
        before = parent.resolve("before");
        GenerateKeys.into(before);
        after = copy(before, parent.resolve("after"));
    }

    @Test
    void contentOpensThroughARotationUntilItsKeyIsRetired() throws IOException {
        // Given
        var rotation = new KeyRotation(after, KeyRotation.Subject.CONTENT);
        var old = sealed(before);
        // When
        rotation.take("add");
        var added = copy(after, parent.resolve("added"));
        rotation.take("promote");
        var promoted = copy(after, parent.resolve("promoted"));
        var fresh = sealed(promoted);
        rotation.take("retire");
        // Then whoever has not restarted yet opens what the others seal
        assertThat(opens(sealed(added), before)).isTrue();
        assertThat(opens(fresh, added)).isTrue();
        assertThat(opens(old, promoted)).isTrue();
        assertThat(opens(fresh, after)).isTrue();
        assertThat(opens(old, after)).isFalse();
        assertThat(opens(fresh, before)).isFalse();
    }

    @Test
    void sealedReasoningOpensThroughARotationUntilItsKeyIsRetired() throws IOException {
        // Given
        var rotation = new KeyRotation(after, KeyRotation.Subject.REASONING);
        var old = SealedReasoning.seal(SAMPLED, HEADER, "turn", KeyRing.load(before, ServiceRole.WORKER));
        // When
        rotation.take("add");
        assertOpens(old);
        rotation.take("promote");
        assertOpens(old);
        var fresh = SealedReasoning.seal(SAMPLED, HEADER, "turn", KeyRing.load(after, ServiceRole.WORKER));
        rotation.take("retire");
        // Then
        assertOpens(fresh);
        assertRefused(old, after);
        assertRefused(fresh, before);
    }

    @Test
    void whoeverHasNotRestartedYetOpensWhatTheOthersSeal() throws IOException {
        // Given
        var rotation = new KeyRotation(after, KeyRotation.Subject.REASONING);
        rotation.take("add");
        var added = copy(after, parent.resolve("added"));
        // When
        var sealedAfterAdding = SealedReasoning.seal(SAMPLED, HEADER, "turn", KeyRing.load(after, ServiceRole.WORKER));
        rotation.take("promote");
        var sealedAfterPromoting =
                SealedReasoning.seal(SAMPLED, HEADER, "turn", KeyRing.load(after, ServiceRole.WORKER));
        // Then
        assertOpens(sealedAfterAdding, before);
        assertOpens(sealedAfterPromoting, added);
        assertRefused(sealedAfterPromoting, before);
    }

    @ParameterizedTest(name = "{0}: {1} is refused")
    @CsvSource({"'',promote", "'',retire", "add,add", "add,retire", "add promote,promote", "add promote retire,retire"})
    void aStepOutOfTurnIsRefusedAndChangesNothing(String taken, String step) throws IOException {
        // Given
        var rotation = new KeyRotation(after, KeyRotation.Subject.REASONING);
        for (var earlier : taken.isEmpty() ? new String[0] : taken.split(" ")) {
            rotation.take(earlier);
        }
        var keys = Files.readString(after.resolve(KeyRing.REASONING_KEYS));
        // Then
        assertThatThrownBy(() -> rotation.take(step)).isInstanceOf(SealException.class);
        assertThat(Files.readString(after.resolve(KeyRing.REASONING_KEYS))).isEqualTo(keys);
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "promote", "retire"})
    void aStepThatWasInterruptedBetweenTheKeysetsIsFinishedByTakingItAgain(String interrupted) throws IOException {
        // Given the MAC's keyset as it was before the step
        var rotation = new KeyRotation(after, KeyRotation.Subject.REASONING);
        var mac = after.resolve(KeyRing.REASONING_MAC);
        for (var step : List.of("add", "promote", "retire")) {
            var untouched = Files.readString(mac);
            rotation.take(step);
            if (step.equals(interrupted)) {
                Files.writeString(mac, untouched);
                break;
            }
        }
        // When
        rotation.take(interrupted);
        // Then the rotation goes on as ever
        var left = List.of("add", "promote", "retire").indexOf(interrupted) + 1;
        for (var step : List.of("add", "promote", "retire").subList(left, 3)) {
            rotation.take(step);
        }
        assertOpens(SealedReasoning.seal(SAMPLED, HEADER, "turn", KeyRing.load(after, ServiceRole.WORKER)));
        assertThat(Files.readString(mac)).containsOnlyOnce("\"keyId\"");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mac)))
                .isEqualTo("rw-------");
    }

    @Test
    void signaturesOfOldAndNewKeysVerifyUntilTheOldOneIsRetired() throws IOException {
        // Given
        var rotation = new KeyRotation(after, KeyRotation.Subject.SIGNATURES);
        var old = signed(before);
        // When
        rotation.take("add");
        var added = copy(after, parent.resolve("added"));
        rotation.take("promote");
        var promoted = copy(after, parent.resolve("promoted"));
        var fresh = signed(promoted);
        rotation.take("retire");
        // Then whoever has not restarted yet verifies what the others sign
        assertThat(verifies(signed(added), before)).isTrue();
        assertThat(verifies(fresh, added)).isTrue();
        assertThat(verifies(old, promoted)).isTrue();
        assertThat(verifies(fresh, after)).isTrue();
        assertThat(verifies(old, after)).isFalse();
        assertThat(verifies(fresh, before)).isFalse();
    }

    @Test
    void aRotationOfSignaturesThatWasInterruptedBeforeThePrivateKeysIsTakenAgain() throws IOException {
        // Given a public keyset that was written already
        var rotation = new KeyRotation(after, KeyRotation.Subject.SIGNATURES);
        var own = after.resolve(Signatures.privateFile(ServiceRole.AUDIT));
        var untouched = Files.readString(own);
        rotation.take("add");
        Files.writeString(own, untouched);
        // When
        rotation.take("add");
        rotation.take("promote");
        rotation.take("retire");
        // Then
        for (var role : ServiceRole.values()) {
            var keys = KeyRing.load(after, role).signatures();
            var kind = SignedRecord.beatsOf(role);
            assertThat(keys.verified(kind, "topic", keys.sign(kind, "topic", MESSAGE)))
                    .isEqualTo(MESSAGE);
        }
    }

    @Test
    void aSigningKeyThatIsKeptElsewhereIsRotatedThere() throws IOException {
        Files.delete(after.resolve(Signatures.privateFile(ServiceRole.GATEWAY)));
        var untouched = Files.readString(after.resolve(Signatures.publicFile(ServiceRole.GATEWAY)));

        new KeyRotation(after, KeyRotation.Subject.SIGNATURES).take("add");

        assertThat(after.resolve(Signatures.publicFile(ServiceRole.GATEWAY))).hasContent(untouched);
    }

    private static byte[] sealed(Path keys) {
        return KeyRing.load(keys, ServiceRole.GATEWAY).sealFor(ServiceRole.WORKER, CONTENT, "here");
    }

    private static boolean opens(byte[] content, Path keys) {
        try {
            return Arrays.equals(KeyRing.load(keys, ServiceRole.WORKER).open(content, "here"), CONTENT);
        } catch (SealException e) {
            return false;
        }
    }

    private static byte[] signed(Path keys) {
        return KeyRing.load(keys, ServiceRole.GATEWAY)
                .signatures()
                .sign(SignedRecord.STOP_COMMAND, Topic.CONTROL, MESSAGE);
    }

    private static boolean verifies(byte[] record, Path keys) {
        try {
            KeyRing.load(keys, ServiceRole.WORKER)
                    .signatures()
                    .verified(SignedRecord.STOP_COMMAND, Topic.CONTROL, record);
            return true;
        } catch (SealException e) {
            return false;
        }
    }

    private void assertOpens(String blob) {
        assertOpens(blob, after);
    }

    private static void assertOpens(String blob, Path keys) {
        assertThat(SealedReasoning.check(blob, TURN, 10, KeyRing.load(keys, ServiceRole.GATEWAY)))
                .isEqualTo(HEADER);
        assertThat(SealedReasoning.open(blob, TURN, 10, KeyRing.load(keys, ServiceRole.WORKER)))
                .isEqualTo(SAMPLED);
    }

    private static void assertRefused(String blob, Path keys) {
        assertThatThrownBy(() -> SealedReasoning.check(blob, TURN, 10, KeyRing.load(keys, ServiceRole.GATEWAY)))
                .isInstanceOf(SealException.class)
                .hasMessage("sealed reasoning does not verify");
        assertThatThrownBy(() -> SealedReasoning.open(blob, TURN, 10, KeyRing.load(keys, ServiceRole.WORKER)))
                .isInstanceOf(SealException.class)
                .hasMessage("sealed reasoning does not verify");
    }

    /// A copy of a folder of keys.
    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (var file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return to;
    }
}
