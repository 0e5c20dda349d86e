package dev.counterpoint.audit.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.seal.PrivateFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Judged by SoftHSM2.
class RootTokenTest {
    private static final byte[] KEY = "a tenant's key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CONTEXT = {1, 2, 3};

    @TempDir
    static Path folder;

    private static TestToken token;

    @BeforeAll
    static void make() throws Exception {
        token = TestToken.create(folder).withKey("one").withKey("two");
    }

    private static RootToken open(String... labels) {
        return RootToken.open(token.configuration(), token.pin(), List.of(labels));
    }

    @Test
    void unwrapsWhatItWrappedAndOnlyInItsContext() {
        // Given
        var root = open("one");
        var wrapped = root.wrap(KEY, CONTEXT);
        // Then
        assertThat(root.unwrap(wrapped, CONTEXT)).isEqualTo(KEY);
        assertThat(root.wrap(KEY, CONTEXT)).isNotEqualTo(wrapped);
        assertThatThrownBy(() -> root.unwrap(wrapped, new byte[] {1, 2})).isInstanceOf(EncryptionException.class);
        assertThat(root.unwrap(root.wrap(KEY, new byte[0]), new byte[0])).isEqualTo(KEY);
    }

    @Test
    void everyChangedByteIsRefused() {
        var root = open("one", "two");
        var wrapped = root.wrap(KEY, CONTEXT);
        for (int at = 0; at < wrapped.length; at++) {
            var changed = wrapped.clone();
            changed[at] ^= 4;
            assertThatThrownBy(() -> root.unwrap(changed, CONTEXT))
                    .as("byte %d", at)
                    .isInstanceOfAny(EncryptionException.class, KeyService.UnavailableException.class);
        }
        for (int length = 0; length < wrapped.length; length++) {
            var cut = Arrays.copyOf(wrapped, length);
            assertThatThrownBy(() -> root.unwrap(cut, CONTEXT))
                    .as("length %d", length)
                    .isInstanceOf(EncryptionException.class);
        }
    }

    @Test
    void theFirstKeyWrapsAndAllUnwrap() {
        // Given
        var before = open("one");
        var old = before.wrap(KEY, CONTEXT);
        // When
        var after = open("two", "one");
        var fresh = after.wrap(KEY, CONTEXT);
        // Then
        assertThat(after.unwrap(old, CONTEXT)).isEqualTo(KEY);
        assertThat(after.describe().current().wrapped(fresh)).isTrue();
        assertThat(after.describe().current().wrapped(old)).isFalse();
        assertThat(after.describe().readable().toString()).isEqualTo("[two, one]");
        assertThatThrownBy(() -> before.unwrap(fresh, CONTEXT)).isInstanceOf(KeyService.UnavailableException.class);
    }

    @Test
    void aWrongPinIsCalledWhatItIs() throws Exception {
        var wrong = folder.resolve("wrong-pin");
        PrivateFile.write(wrong, "wrong-canary\n");
        token.logOut(); // a process that is logged in is not asked again
        assertThatThrownBy(() -> RootToken.open(token.configuration(), wrong, List.of("one")))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("does not take the PIN in " + wrong)
                .hasMessageContaining("CKR_PIN_INCORRECT")
                .hasMessageNotContaining("wrong-canary");
    }

    @Test
    void aSessionThatTheTokenEndedIsOpenedAnew() throws Exception {
        // Given
        var opened = new AtomicInteger();
        var root = new ReopenedRoot(() -> {
            opened.incrementAndGet();
            return open("one");
        });
        var wrapped = root.wrap(KEY, CONTEXT);
        // When
        token.logOut();
        // Then
        assertThat(root.unwrap(wrapped, CONTEXT)).isEqualTo(KEY);
        assertThat(opened).hasValue(2);
    }

    @Test
    void aPinThatOthersCanReadIsRefused() throws Exception {
        var shared = Files.copy(token.pin(), folder.resolve("shared-pin"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> RootToken.open(token.configuration(), shared, List.of("one")))
                .hasMessageContaining("can be read by others");
    }

    @Test
    void aMissingLibraryAndAMissingFileAreNamed() throws Exception {
        var file = Files.writeString(folder.resolve("none.cfg"), "name = none\nlibrary = /none.so\n");

        assertThatThrownBy(() -> RootToken.open(file, token.pin(), List.of("one")))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("/none.so does not exist");
        assertThatThrownBy(() -> RootToken.open(folder.resolve("no.cfg"), token.pin(), List.of("one")))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("no.cfg");
        assertThatThrownBy(() -> RootToken.open(token.configuration(), folder.resolve("no-pin"), List.of("one")))
                .hasMessageContaining("no-pin is missing");
    }

    @Test
    void aSlotWithoutATokenIsRefused() throws Exception {
        var file = Files.writeString(
                folder.resolve("empty.cfg"),
                Files.readString(token.configuration())
                        .replace("slotListIndex = 0", "slotListIndex = 1")
                        .replace("name = root", "name = empty"));

        assertThatThrownBy(() -> RootToken.open(file, token.pin(), List.of("one")))
                .isInstanceOf(EncryptionException.class)
                .hasMessageContaining("empty.cfg");
    }

    @Test
    void aMissingKeyIsNamed() {
        token.withOtherKey("other kind");

        assertThatThrownBy(() -> open("one", "three")).hasMessage("the token has no AES key three");
        assertThatThrownBy(() -> open("other kind")).hasMessage("the token has no AES key other kind");
    }

    @Test
    void aKeyThatCanBeReadFromTheTokenIsRefused() throws Exception {
        token.withExtractableKey("loose");

        assertThatThrownBy(() -> open("loose")).hasMessageContaining("the key loose can be read from the token");
    }

    @Test
    void aMovedRootWrapsWithTheTokenAndReadsTheFile() throws Exception {
        // Given
        var passphrase = Passphrase.of(TestKeysets.PASSPHRASE);
        var file = folder.resolve("root.json");
        RootKeyset.create(file, passphrase);
        var keyset = RootKeyset.load(file, passphrase);
        var old = keyset.wrap(KEY, CONTEXT);
        // When
        var moved = new MovedRoot(open("one"), keyset);
        var fresh = moved.wrap(KEY, CONTEXT);
        // Then
        assertThat(moved.unwrap(old, CONTEXT)).isEqualTo(KEY);
        assertThat(open("one").unwrap(fresh, CONTEXT)).isEqualTo(KEY);
        assertThat(moved.describe().current().name()).isEqualTo("one");
        assertThat(moved.describe().readable())
                .containsExactly(moved.describe().current(), keyset.describe().current());
        // When the file is gone
        assertThatThrownBy(() -> open("one").unwrap(old, CONTEXT)).isInstanceOf(KeyService.UnavailableException.class);
    }

    @Test
    void aRootIsOpenedAnewWhenItLacksAVersionAndNotTwiceAtOnce() {
        // Given a replica that was started before the second key was set
        var opened = new AtomicInteger();
        var root = new ReopenedRoot(() -> opened.getAndIncrement() == 0 ? open("one") : open("two", "one"));
        var fresh = open("two").wrap(KEY, CONTEXT);
        // When
        assertThat(root.unwrap(fresh, CONTEXT)).isEqualTo(KEY);
        // Then
        assertThat(opened).hasValue(2);
        var unknown = fresh.clone();
        unknown[1] ^= 1;
        assertThatThrownBy(() -> root.unwrap(unknown, CONTEXT)).isInstanceOf(KeyService.UnavailableException.class);
        assertThat(opened).hasValue(2);
    }
}
