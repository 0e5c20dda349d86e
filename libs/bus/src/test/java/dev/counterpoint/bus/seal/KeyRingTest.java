package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.testkit.TestKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {
    private static final byte[] CONTENT = "secret".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @BeforeEach
    void generate() throws IOException {
        GenerateKeys.into(folder);
    }

    static Stream<Arguments> pairs() {
        return Stream.of(ServiceRole.values())
                .flatMap(reader -> Stream.of(ServiceRole.values()).map(holder -> Arguments.of(reader, holder)));
    }

    @ParameterizedTest(name = "sealed for {0}, held by {1}")
    @MethodSource("pairs")
    void onlyTheReaderOpensWhatWasSealedForIt(ServiceRole reader, ServiceRole holder) {
        var sealed = TestKeys.of(ServiceRole.GATEWAY).sealFor(reader, CONTENT, "context");

        if (reader == holder) {
            assertThat(TestKeys.of(holder).open(sealed, "context")).isEqualTo(CONTENT);
        } else {
            assertThatThrownBy(() -> TestKeys.of(holder).open(sealed, "context"))
                    .isInstanceOf(SealException.class)
                    .hasMessage("sealed content does not open with the keys of " + holder);
        }
    }

    @Test
    void aesGcmAloneIsNotTheJdks() throws GeneralSecurityException {
        assertThat(Cipher.getInstance("AES/GCM/NoPadding").getProvider().getName())
                .isEqualTo("CounterpointGcm");
        assertThat(Cipher.getInstance("AES/CBC/NoPadding").getProvider().getName())
                .isEqualTo("SunJCE");
        assertThat(SSLContext.getDefault().getProvider().getName()).isEqualTo("SunJSSE");
    }

    @Test
    void whatTheJdkSealedOpensAndTheOtherWayRound() throws GeneralSecurityException {
        var key = new SecretKeySpec(new byte[32], "AES");
        var nonce = new GCMParameterSpec(128, new byte[12]);
        for (var names : List.of(List.of("SunJCE", "CounterpointGcm"), List.of("CounterpointGcm", "SunJCE"))) {
            var seals = Cipher.getInstance("AES/GCM/NoPadding", names.getFirst());
            seals.init(Cipher.ENCRYPT_MODE, key, nonce);
            var opens = Cipher.getInstance("AES/GCM/NoPadding", names.getLast());
            opens.init(Cipher.DECRYPT_MODE, key, nonce);
            assertThat(opens.doFinal(seals.doFinal(CONTENT))).isEqualTo(CONTENT);
        }
    }

    @Test
    void anotherContextDoesNotOpen() {
        var sealed = TestKeys.of(ServiceRole.GATEWAY).sealFor(ServiceRole.WORKER, CONTENT, "context");

        assertThatThrownBy(() -> TestKeys.of(ServiceRole.WORKER).open(sealed, "contexT"))
                .isInstanceOf(SealException.class);
    }

    @Test
    void noAlteredByteOpens() {
        var sealed = TestKeys.of(ServiceRole.GATEWAY).sealFor(ServiceRole.WORKER, CONTENT, "context");
        for (int i = 0; i < sealed.length; i++) {
            var altered = sealed.clone();
            altered[i] ^= 1;
            assertThatThrownBy(() -> TestKeys.of(ServiceRole.WORKER).open(altered, "context"))
                    .isInstanceOf(SealException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
    void refusesAPrivateFileThatOthersCanReadOrWrite(String permissions) throws IOException {
        // Given
        var file = folder.resolve("gateway.private.json");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        // Then
        assertThatThrownBy(() -> KeyRing.load(folder, ServiceRole.GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessageContaining("chmod 600 " + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning.private.json", "reasoning-mac.private.json"})
    void refusesKeysOfSealedReasoningThatOthersCanRead(String name) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> KeyRing.load(folder, ServiceRole.WORKER))
                .isInstanceOf(SealException.class)
                .hasMessageContaining("can be read by others");
    }

    @ParameterizedTest
    @EnumSource(ServiceRole.class)
    void needsNoPrivateFileButItsOwn(ServiceRole role) throws IOException {
        // Given
        for (var other : ServiceRole.values()) {
            if (other != role) {
                Files.delete(folder.resolve(KeyRing.privateFile(other)));
            }
        }
        if (role != ServiceRole.WORKER) {
            Files.delete(folder.resolve(KeyRing.REASONING_KEYS));
        }
        if (role != ServiceRole.WORKER && role != ServiceRole.GATEWAY) {
            Files.delete(folder.resolve(KeyRing.REASONING_MAC));
        }
        if (role != ServiceRole.AUDIT && role != ServiceRole.GATEWAY) {
            Files.delete(folder.resolve(KeyRing.SUBJECT_TOKENS));
        }
        // Then
        assertThat(KeyRing.load(folder, role).self()).isEqualTo(role);
    }

    /// What a service that does not start names, one row for each misconfiguration.
    static Stream<Arguments> misconfigurations() {
        return Stream.of(
                Arguments.of("keys-folder-missing", change(KeyRingTest::deleteAll), "the key folder %s is not there"),
                Arguments.of(
                        "key-missing",
                        change(f -> Files.delete(f.resolve("gateway.private.json"))),
                        "%s/gateway.private.json is missing"),
                Arguments.of(
                        "key-open-to-others",
                        change(f -> Files.setPosixFilePermissions(
                                f.resolve("gateway.private.json"), PosixFilePermissions.fromString("rw-r--r--"))),
                        "chmod 600 %s/gateway.private.json"),
                Arguments.of(
                        "key-damaged",
                        change(f -> Files.writeString(f.resolve("audit.public.json"), "{}")),
                        "key file in %s is no Tink keyset"),
                Arguments.of(
                        "bus-login-missing",
                        change(f -> Files.deleteIfExists(f.resolve("gateway.bus.properties"))),
                        "the bus login of this service is missing: %s/gateway.bus.properties"));
    }

    private interface Change {
        void in(Path folder) throws IOException;
    }

    private static Change change(Change change) {
        return change;
    }

    private static void deleteAll(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("misconfigurations")
    void aServiceThatDoesNotStartNamesTheCause(String code, Change change, String said) throws IOException {
        // Given
        var keys = Files.createDirectory(folder.resolve(code));
        GenerateKeys.into(keys);
        change.in(keys);
        // Then
        assertThatThrownBy(() -> {
                    KeyRing.load(keys, ServiceRole.GATEWAY);
                    BusAccount.clients("127.0.0.1:1", keys, ServiceRole.GATEWAY);
                })
                .isInstanceOf(SealException.class)
                .hasMessageContaining(said.formatted(keys));
    }

    @Test
    void saysWhichFileIsMissing() throws IOException {
        Files.delete(folder.resolve("audit.public.json"));

        assertThatThrownBy(() -> KeyRing.load(folder, ServiceRole.GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessageContaining("audit.public.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[]", "null", "topsecret", "{\"primaryKeyId\":1,\"key\":[]}"})
    void refusesAFileThatIsNoKeysetWithoutShowingIt(String text) throws IOException {
        Files.writeString(folder.resolve("gateway.private.json"), text);

        assertThatThrownBy(() -> KeyRing.load(folder, ServiceRole.GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessageNotContaining("topsecret");
    }

    @Test
    void refusesAKeysetForAnotherPurpose() throws IOException {
        Files.writeString(
                folder.resolve("gateway.private.json"), Files.readString(folder.resolve("reasoning-mac.private.json")));

        assertThatThrownBy(() -> KeyRing.load(folder, ServiceRole.GATEWAY)).isInstanceOf(SealException.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WORKER")
    void onlyWorkersHoldTheKeysOfSealedReasoning(ServiceRole role) {
        assertThatThrownBy(() -> TestKeys.of(role).reasoning())
                .isInstanceOf(SealException.class)
                .hasMessage(role + " holds no key for sealed reasoning");
    }

    @ParameterizedTest
    @EnumSource(names = {"SUMMARIZER", "AUDIT"})
    void onlyGatewaysAndWorkersCheckSealedReasoning(ServiceRole role) {
        assertThatThrownBy(() -> TestKeys.of(role).reasoningMac()).isInstanceOf(SealException.class);
    }
}
