package dev.counterpoint.bus.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.Role;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedReasoningTest {
    private static final String CONTEXT = "tenant|model|conversation";
    private static final long NOW = 1_000;
    private static final SealedReasoning.Header HEADER = new SealedReasoning.Header(NOW, 42);
    private static final List<String> ANALYSIS = List.of("secret thought", "", "Gedanke \uD83E\uDD14");
    private static final KeyRing WORKER = TestKeys.of(Role.WORKER);
    private static final KeyRing GATEWAY = TestKeys.of(Role.GATEWAY);
    private static final String BLOB = SealedReasoning.seal(ANALYSIS, HEADER, CONTEXT, WORKER);

    @Test
    void aWorkerOpensWhatAWorkerSealed() {
        assertThat(SealedReasoning.open(BLOB, CONTEXT, NOW, WORKER)).isEqualTo(ANALYSIS);
    }

    @Test
    void aGatewayChecksItAndCannotOpenIt() {
        assertThat(SealedReasoning.check(BLOB, CONTEXT, NOW, GATEWAY)).isEqualTo(HEADER);
        assertThatThrownBy(() -> SealedReasoning.open(BLOB, CONTEXT, NOW, GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessage("GATEWAY holds no key for sealed reasoning");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GATEWAY", "SUMMARIZER", "AUDIT"})
    void onlyAWorkerSeals(Role role) {
        assertThatThrownBy(() -> SealedReasoning.seal(ANALYSIS, HEADER, CONTEXT, TestKeys.of(role)))
                .isInstanceOf(SealException.class);
    }

    @Test
    void itHoldsUntilItExpires() {
        assertThat(SealedReasoning.check(BLOB, CONTEXT, NOW, GATEWAY).expiresAtMillis())
                .isEqualTo(NOW);
        assertRefused(BLOB, CONTEXT, NOW + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tenant|model|other", "tenant|model|conversation ", "other|model|conversation"})
    void anotherContextIsRefused(String context) {
        assertRefused(BLOB, context, NOW);
    }

    @Test
    void everyAlteredByteIsRefused() {
        var bytes = Base64.getUrlDecoder().decode(BLOB);
        for (int i = 0; i < bytes.length; i++) {
            for (int bit : new int[] {1, 0x80}) {
                var altered = bytes.clone();
                altered[i] ^= (byte) bit;
                assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(altered), CONTEXT, NOW);
            }
        }
    }

    @Test
    void everyAlteredCharacterIsRefused() {
        for (int i = 0; i < BLOB.length(); i++) {
            char other = BLOB.charAt(i) == 'A' ? 'B' : 'A';
            assertRefused(BLOB.substring(0, i) + other + BLOB.substring(i + 1), CONTEXT, NOW);
        }
    }

    @Test
    void everyTruncationIsRefused() {
        for (int length = 0; length < BLOB.length(); length++) {
            assertRefused(BLOB.substring(0, length), CONTEXT, NOW);
        }
    }

    @Test
    void anotherSpellingOfTheSameBytesIsRefused() {
        // Given the blob with padding, and with a field that nobody wrote behind it
        var bytes = Base64.getUrlDecoder().decode(BLOB);
        var longer = Arrays.copyOf(bytes, bytes.length + 2);
        longer[bytes.length] = 0x50;
        // Then
        assertRefused(BLOB + "=", CONTEXT, NOW);
        assertRefused(Base64.getUrlEncoder().encodeToString(longer), CONTEXT, NOW);
        assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(longer), CONTEXT, NOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "secret thought", "rs_123", "AAAA", "ä", "{\"summary\":[]}"})
    void textThatIsNoBlobIsRefused(String text) {
        assertRefused(text, CONTEXT, NOW);
    }

    @Property(tries = 300)
    void anyOtherTextIsRefused(@ForAll String text) {
        assertRefused(text, CONTEXT, NOW);
    }

    @Test
    void noAnalysisAtAllSurvivesToo() {
        var blob = SealedReasoning.seal(List.of(), HEADER, CONTEXT, WORKER);

        assertThat(SealedReasoning.open(blob, CONTEXT, NOW, WORKER)).isEmpty();
    }

    /// One text for every reason, so that nobody learns which it was.
    private static void assertRefused(String blob, String context, long now) {
        assertThatThrownBy(() -> SealedReasoning.check(blob, context, now, GATEWAY))
                .isInstanceOf(SealException.class)
                .hasMessage("sealed reasoning does not verify")
                .hasNoCause();
        assertThatThrownBy(() -> SealedReasoning.open(blob, context, now, WORKER))
                .isInstanceOf(SealException.class)
                .hasMessage("sealed reasoning does not verify")
                .hasNoCause();
    }
}
