package dev.counterpoint.audit.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RootKeysetTest {
    private static final byte[] KEY = "a tenant's key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CONTEXT = {1, 2, 3};
    private static final Passphrase PASSPHRASE = Passphrase.of(TestKeysets.PASSPHRASE);

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void create() throws Exception {
        file = folder.resolve("root.json");
        RootKeyset.create(file, PASSPHRASE);
    }

    @Test
    void unwrapsWhatItWrappedAndOnlyInItsContext() {
        // Given
        var root = RootKeyset.load(file, PASSPHRASE);
        var wrapped = root.wrap(KEY, CONTEXT);
        // Then
        assertThat(root.unwrap(wrapped, CONTEXT)).isEqualTo(KEY);
        assertThatThrownBy(() -> root.unwrap(wrapped, new byte[] {1, 2})).isInstanceOf(EncryptionException.class);
    }

    @Test
    void aRotatedKeysetWrapsWithTheNewKeyAndReadsTheOldOnes() throws Exception {
        // Given
        var before = RootKeyset.load(file, PASSPHRASE);
        var old = before.wrap(KEY, CONTEXT);
        // When
        RootKeyset.rotate(file, PASSPHRASE);
        var after = RootKeyset.load(file, PASSPHRASE);
        var fresh = after.wrap(KEY, CONTEXT);
        // Then
        assertThat(after.unwrap(old, CONTEXT)).isEqualTo(KEY);
        assertThat(after.describe().current()).isNotEqualTo(before.describe().current());
        assertThat(after.describe().readable())
                .containsExactly(before.describe().current(), after.describe().current());
        assertThatThrownBy(() -> before.unwrap(fresh, CONTEXT)).isInstanceOf(KeyService.UnavailableException.class);
    }

    @Test
    void aRetiredKeyIsGoneAndTheCurrentOneStays() throws Exception {
        // Given
        var first = RootKeyset.load(file, PASSPHRASE);
        var old = first.wrap(KEY, CONTEXT);
        RootKeyset.rotate(file, PASSPHRASE);
        var fresh = RootKeyset.load(file, PASSPHRASE).wrap(KEY, CONTEXT);
        // When
        RootKeyset.retire(file, PASSPHRASE, first.describe().current().name());
        var after = RootKeyset.load(file, PASSPHRASE);
        // Then
        assertThat(after.unwrap(fresh, CONTEXT)).isEqualTo(KEY);
        assertThat(after.describe().readable()).containsExactly(after.describe().current());
        assertThatThrownBy(() -> after.unwrap(old, CONTEXT)).isInstanceOf(KeyService.UnavailableException.class);
        assertThatThrownBy(() -> RootKeyset.retire(
                        file, PASSPHRASE, after.describe().current().name()))
                .hasMessageContaining("wraps with");
    }

    @Test
    void aNewPassphraseTakesTheOldOnesPlaceAndKeepsTheKeys() throws Exception {
        // Given
        var fresh = Passphrase.of("a fresh passphrase");
        var wrapped = RootKeyset.load(file, PASSPHRASE).wrap(KEY, CONTEXT);
        // When
        RootKeyset.protect(file, PASSPHRASE, fresh);
        // Then
        assertThat(RootKeyset.load(file, fresh).unwrap(wrapped, CONTEXT)).isEqualTo(KEY);
        assertThatThrownBy(() -> RootKeyset.load(file, PASSPHRASE)).isInstanceOf(EncryptionException.class);
    }

    @Test
    void aNewPassphraseMayBeGivenAgainAndNeedsAFileThatOpens() throws Exception {
        // Given
        var fresh = Passphrase.of("a fresh passphrase");
        RootKeyset.protect(file, PASSPHRASE, fresh);
        var written = Files.readString(file);
        // Then
        RootKeyset.protect(file, PASSPHRASE, fresh);
        assertThat(Files.readString(file)).isEqualTo(written);
        assertThatThrownBy(() -> RootKeyset.protect(file, PASSPHRASE, Passphrase.of("another passphrase")))
                .hasMessageContaining("the passphrase is wrong");
    }

    @Test
    void aWrongPassphraseIsCalledWhatItIs() {
        assertThatThrownBy(() -> RootKeyset.load(file, Passphrase.of("another passphrase")))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("the passphrase is wrong")
                .hasMessageContaining(file.toString())
                .hasMessageNotContaining("another passphrase");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
    void aFileThatOthersCanReadOrWriteIsRefused(String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));

        assertThatThrownBy(() -> RootKeyset.load(file, PASSPHRASE)).hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void isWrittenForItsOwnerOnlyAndHoldsNoKeyInClear() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).doesNotContain("AesGcmKey").doesNotContain(TestKeysets.PASSPHRASE);
    }

    @ParameterizedTest
    @CsvSource({
        "47104, 47103",
        "47104, 1048577",
        "'iterations\":1', 'iterations\":0'",
        "'iterations\":1', 'iterations\":11'"
    })
    void aFileThatMakesGuessingCheapOrOpeningEndlessIsRefused(String written, String changed) throws IOException {
        Files.writeString(file, Files.readString(file).replace(written, changed));

        assertThatThrownBy(() -> RootKeyset.load(file, PASSPHRASE)).isInstanceOf(EncryptionException.class);
    }

    @Test
    void everyChangedByteOfTheFileIsRefused() throws IOException {
        // Given
        var good = Files.readAllBytes(file);
        // Then: one bit in every seventh byte; each try costs a key derivation
        for (int at = 0; at < good.length - 1; at += 7) {
            var bad = good.clone();
            bad[at] ^= 4;
            Files.write(file, bad);
            assertThatThrownBy(() -> RootKeyset.load(file, PASSPHRASE)).isInstanceOf(EncryptionException.class);
        }
    }

    @Test
    void anExistingKeysetIsNeverOverwritten() {
        assertThatThrownBy(() -> RootKeyset.create(file, PASSPHRASE)).hasMessageContaining("exists already");
        assertThat(RootKeyset.load(file, PASSPHRASE)).isNotNull();
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> RootKeyset.load(folder.resolve("none"), PASSPHRASE))
                .hasMessage(folder.resolve("none") + " is missing");
    }

    @Test
    void aShortPassphraseProtectsNothing() {
        assertThatThrownBy(() -> Passphrase.of("  too short \n"))
                .hasMessageContaining("fewer than 16 characters")
                .hasMessageNotContaining("too short");
    }

    @Test
    void aPassphraseIsNeverPrinted() {
        assertThat(PASSPHRASE.toString()).doesNotContain(TestKeysets.PASSPHRASE);
    }

    @Test
    void theCommandMakesDescribesAndRotates() throws Exception {
        // Given
        var fresh = folder.resolve("fresh.json");
        var passphrase = TestKeysets.passphrase(folder.resolve("passphrase"));
        // When
        var made = RootKeysetCommand.run("create", fresh, passphrase);
        var first = RootKeysetCommand.run("describe", fresh, passphrase);
        var rotated = RootKeysetCommand.run("rotate", fresh, passphrase);
        var second = RootKeysetCommand.run("describe", fresh, passphrase);
        // Then
        assertThat(made).isEqualTo("made " + fresh);
        assertThat(first).matches("wraps with ([0-9a-f]+), reads \\1");
        assertThat(rotated).startsWith(second).contains("Restart every audit service");
        assertThat(second).matches("wraps with ([0-9a-f]+), reads [0-9a-f]+, \\1");
    }

    @Test
    void theCommandRefusesAPassphraseThatOthersCanRead() throws Exception {
        var passphrase = TestKeysets.passphrase(folder.resolve("passphrase"));
        Files.setPosixFilePermissions(passphrase, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> RootKeysetCommand.run("describe", file, passphrase))
                .hasMessageContaining("can be read by others");
    }
}
