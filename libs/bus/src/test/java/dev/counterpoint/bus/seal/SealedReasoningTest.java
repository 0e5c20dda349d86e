package dev.counterpoint.bus.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.BusProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SealedReasoningTest {
    private static final String CONTEXT = SealedReasoning.context("tenant", "project", "model");
    private static final SealedReasoning.Turn TURN = new SealedReasoning.Turn(CONTEXT, "resp_1");
    private static final Path RECORDED = Path.of("src/test/resources/recorded");
    private static final long NOW = 1_000;
    private static final SealedReasoning.Header HEADER = new SealedReasoning.Header(NOW, 42, "resp_1");
    private static final int[] SAMPLED = {200005, 35644, 200008, 0, 127, 128, 201088, 200007};
    private static final KeyRing WORKER = TestKeys.of(ServiceRole.WORKER);
    private static final KeyRing GATEWAY = TestKeys.of(ServiceRole.GATEWAY);
    private static final String BLOB = SealedReasoning.seal(SAMPLED, HEADER, CONTEXT, WORKER);

    @Test
    void aWorkerOpensWhatAWorkerSealed() {
        assertThat(SealedReasoning.open(BLOB, TURN, NOW, WORKER)).isEqualTo(SAMPLED);
    }

    @Test
    void theHeaderHasTheSameBytesInEveryVersion() {
        assertThat(HexFormat.of().formatHex(HEADER.encode())).isEqualTo("080610d00f18542206726573705f31");
    }

    @Test
    void theHeaderOfThisVersionAddsFieldsToThatOfTheLast() {
        var bond = new ReasoningBond(
                BusProto.ReasoningBond.newBuilder().setCount(3).build());
        var header = new SealedReasoning.Header(NOW, 42, "resp_1", "model", "rs_1", bond);

        assertThat(HexFormat.of().formatHex(header.encode()))
                .isEqualTo("080610d00f18542206726573705f31" + "2a056d6f64656c320472735f313a022006");
    }

    /// Both were recorded; classes of the last version read both, too.
    @ParameterizedTest
    @CsvSource({"without-bond, '', ''", "with-bond, model, rs_1"})
    void blobsOfThisAndOfTheLastVersionAreRead(String recorded, String model, String item, @TempDir Path parent)
            throws IOException {
        // Given
        var folder = parent.resolve("keys");
        GenerateKeys.into(folder);
        for (var file : List.of(KeyRing.REASONING_KEYS, KeyRing.REASONING_MAC)) {
            PrivateFile.write(folder.resolve(file), Files.readString(RECORDED.resolve(file)));
        }
        var blob =
                Files.readString(RECORDED.resolve("blob-" + recorded + ".txt")).strip();
        var gateway = KeyRing.load(folder, ServiceRole.GATEWAY);
        // When
        var header = SealedReasoning.header(blob, CONTEXT, gateway);
        // Then
        assertThat(header.conversation()).isEqualTo("resp_1");
        assertThat(header.model()).isEqualTo(model);
        assertThat(header.item()).isEqualTo(item);
        assertThat(SealedReasoning.open(blob, TURN, NOW, KeyRing.load(folder, ServiceRole.WORKER)))
                .hasSize(6);
        var user = header.bond().message().getUser();
        assertThat(new ReasoningBond.Digests(gateway, CONTEXT).fits(user, "user", "anna".getBytes(UTF_8)))
                .isTrue();
        assertThat(new ReasoningBond.Digests(gateway, CONTEXT).fits(user, "user", "ben".getBytes(UTF_8)))
                .isEqualTo(user.isEmpty());
    }

    @Test
    void aGatewayReadsTheHeaderWhateverTheModelTheConversationAndTheAge() {
        var header = new SealedReasoning.Header(1, 42, "resp_1", "model", "rs_1", ReasoningBond.NONE);
        var blob = SealedReasoning.seal(SAMPLED, header, CONTEXT, WORKER);
        var other = SealedReasoning.context("tenant", "project", "other");

        assertThat(SealedReasoning.header(blob, other, GATEWAY)).isEqualTo(header);
        assertRefused(blob, new SealedReasoning.Turn(other, ""), 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "other|project|model", "tenant|other|model", "tenant|projec|tmodel", "tenant|project"})
    void aGatewayReadsNoHeaderOfAnotherTenantOrProject(String context) {
        var header = new SealedReasoning.Header(NOW, 42, "", "model", "rs_1", ReasoningBond.NONE);
        for (var blob : List.of(BLOB, SealedReasoning.seal(SAMPLED, header, CONTEXT, WORKER), "AAAA", "")) {
            assertThatThrownBy(() -> SealedReasoning.header(blob, context, GATEWAY))
                    .isInstanceOf(SealException.class)
                    .hasMessage("sealed reasoning does not verify")
                    .hasNoCause();
        }
    }

    @Test
    void aDigestIsOfItsOwnerItsPurposeAndItsContentAlone() {
        var digest = new ReasoningBond.Digests(WORKER, CONTEXT).of("user", "anna".getBytes(UTF_8));

        assertThat(fits(digest, CONTEXT, "user", "anna")).isTrue();
        assertThat(fits(digest, SealedReasoning.context("tenant", "project", "other"), "user", "anna"))
                .isTrue();
        assertThat(fits(digest, SealedReasoning.context("tenant", "other", "model"), "user", "anna"))
                .isFalse();
        assertThat(fits(digest, CONTEXT, "items", "anna")).isFalse();
        assertThat(fits(digest, CONTEXT, "user", "ben")).isFalse();
        assertThat(fits(digest, CONTEXT, "user", "")).isFalse();
    }

    private static boolean fits(ByteString digest, String context, String what, String content) {
        return new ReasoningBond.Digests(GATEWAY, context).fits(digest, what, content.getBytes(UTF_8));
    }

    @Test
    void aGatewayChecksItAndCannotOpenIt() {
        assertThat(SealedReasoning.check(BLOB, TURN, NOW, GATEWAY)).isEqualTo(HEADER);
        assertThatThrownBy(() -> SealedReasoning.open(BLOB, TURN, NOW, GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessage("GATEWAY holds no key for sealed reasoning");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GATEWAY", "SUMMARIZER", "AUDIT"})
    void onlyAWorkerSeals(ServiceRole role) {
        assertThatThrownBy(() -> SealedReasoning.seal(SAMPLED, HEADER, CONTEXT, TestKeys.of(role)))
                .isInstanceOf(SealException.class);
    }

    @Test
    void itHoldsUntilItExpires() {
        assertThat(SealedReasoning.check(BLOB, TURN, NOW, GATEWAY).expiresAtMillis())
                .isEqualTo(NOW);
        assertRefused(BLOB, TURN, NOW + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "other|project|model",
                "tenant|other|model",
                "tenant|project|other",
                "tenant|project|model ",
                "tenant|projec|tmodel"
            })
    void anotherTenantProjectOrModelIsRefused(String context) {
        assertRefused(BLOB, new SealedReasoning.Turn(context, "resp_1"), NOW);
        assertRefused(BLOB, new SealedReasoning.Turn(context, ""), NOW);
    }

    @ParameterizedTest(name = "sealed in \"{0}\", comes back to \"{1}\": {2}")
    @CsvSource({
        "resp_1, resp_1, true",
        "resp_1, resp_2, false",
        "resp_1, resp_, false",
        "'', resp_1, false",
        "resp_1, '', true",
        "'', '', true"
    })
    void aConversationThatTheServerHoldsTakesItsOwnReasoningOnly(String of, String in, boolean taken) {
        var blob = SealedReasoning.seal(SAMPLED, new SealedReasoning.Header(NOW, 42, of), CONTEXT, WORKER);
        var turn = new SealedReasoning.Turn(CONTEXT, in);

        if (taken) {
            assertThat(SealedReasoning.check(blob, turn, NOW, GATEWAY).conversation())
                    .isEqualTo(of);
            assertThat(SealedReasoning.open(blob, turn, NOW, WORKER)).isEqualTo(SAMPLED);
        } else {
            assertRefused(blob, turn, NOW);
        }
    }

    @Test
    void noTwoOwnersHaveTheSameContext() {
        assertThatThrownBy(() -> SealedReasoning.context("tenant|project", "model", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SealedReasoning.context("tenant", "project|model", ""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyAlteredByteIsRefused() {
        var bytes = Base64.getUrlDecoder().decode(BLOB);
        for (int i = 0; i < bytes.length; i++) {
            for (int bit : new int[] {1, 0x80}) {
                var altered = bytes.clone();
                altered[i] ^= (byte) bit;
                assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(altered), TURN, NOW);
            }
        }
    }

    @Test
    void everyAlteredCharacterIsRefused() {
        for (int i = 0; i < BLOB.length(); i++) {
            char other = BLOB.charAt(i) == 'A' ? 'B' : 'A';
            assertRefused(BLOB.substring(0, i) + other + BLOB.substring(i + 1), TURN, NOW);
        }
    }

    @Test
    void everyTruncationIsRefused() {
        for (int length = 0; length < BLOB.length(); length++) {
            assertRefused(BLOB.substring(0, length), TURN, NOW);
        }
    }

    @Test
    void anotherSpellingOfTheSameBytesIsRefused() {
        // Given the blob with padding, and with a field that nobody wrote behind it
        var bytes = Base64.getUrlDecoder().decode(BLOB);
        var longer = Arrays.copyOf(bytes, bytes.length + 2);
        longer[bytes.length] = 0x50;
        // Then
        assertRefused(BLOB + "=", TURN, NOW);
        assertRefused(Base64.getUrlEncoder().encodeToString(longer), TURN, NOW);
        assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(longer), TURN, NOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "secret thought", "rs_123", "AAAA", "ä", "{\"summary\":[]}"})
    void textThatIsNoBlobIsRefused(String text) {
        assertRefused(text, TURN, NOW);
    }

    @Property(tries = 300)
    void anyOtherTextIsRefused(@ForAll String text) {
        assertRefused(text, TURN, NOW);
    }

    @Test
    void noTokenAtAllSurvivesToo() {
        var blob = SealedReasoning.seal(new int[0], HEADER, CONTEXT, WORKER);

        assertThat(SealedReasoning.open(blob, TURN, NOW, WORKER)).isEmpty();
    }

    /// One text for every reason, so that nobody learns which it was.
    private static void assertRefused(String blob, SealedReasoning.Turn turn, long now) {
        assertThatThrownBy(() -> SealedReasoning.check(blob, turn, now, GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessage("sealed reasoning does not verify")
                .hasNoCause();
        assertThatThrownBy(() -> SealedReasoning.open(blob, turn, now, WORKER))
                .isInstanceOf(SealException.class)
                .hasMessage("sealed reasoning does not verify")
                .hasNoCause();
    }
}
