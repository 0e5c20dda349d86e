package dev.counterpoint.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookSecretsTest {
    @TempDir
    static Path folder = Path.of("");

    private static @Nullable WebhookSecrets made;

    private final WebhookSecrets secrets = Objects.requireNonNull(made);

    @BeforeAll
    static void makeKeys() throws Exception {
        GenerateKeys.into(folder.resolve("keys"));
        made = new WebhookSecrets(KeyRing.load(folder.resolve("keys"), ServiceRole.GATEWAY));
    }

    @Test
    void theLibraryOfReceiversVerifiesWhatIsSigned() {
        // Given
        var secret = WebhookSecrets.create();
        // When
        var headers = signed(secret, null);
        // Then
        assertThat(secret).matches("whsec_[A-Za-z0-9+/]{43}=");
        assertThatCode(() -> verify(secret, headers, "{}")).doesNotThrowAnyException();
        assertThatThrownBy(() -> verify(secret, headers, "{ }")).isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> verify(WebhookSecrets.create(), headers, "{}"))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void theSecretBeforeSignsTooWhileItIsKept() {
        // Given
        var secret = WebhookSecrets.create();
        var before = WebhookSecrets.create();
        // When
        var headers = signed(secret, before);
        // Then
        assertThat(headers.get("webhook-signature")).containsOnlyOnce(" ");
        assertThatCode(() -> verify(secret, headers, "{}")).doesNotThrowAnyException();
        assertThatCode(() -> verify(before, headers, "{}")).doesNotThrowAnyException();
    }

    @Test
    void aSealedSecretOpensForItsOwnEndpointAlone() {
        var sealed = secrets.seal("whsec_a", "whe_1");

        assertThat(sealed).doesNotContain("whsec");
        assertThat(secrets.open(sealed, "whe_1")).isEqualTo("whsec_a");
        assertThatThrownBy(() -> secrets.open(sealed, "whe_2")).isInstanceOf(SealException.class);
    }

    @Test
    void aSecretThatDoesNotOpenStaysAsItIs() {
        var other = secrets.seal("whsec_a", "whe_1");

        assertThat(secrets.reseal(other, "whe_2")).isEqualTo(other);
        assertThat(secrets.reseal(other, "whe_1")).isNotEqualTo(other);
        assertThat(secrets.open(secrets.reseal(other, "whe_1"), "whe_1")).isEqualTo("whsec_a");
    }

    @Test
    void thePauseDoublesUpToAnHourAndHalfOfItIsLeftToChance() {
        assertThat(List.of(0, 1, 2, 9, 10, 1_000))
                .extracting(failures -> WebhookDeliveries.pause(failures, 0))
                .containsExactly(
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(2_560),
                        Duration.ofHours(1),
                        Duration.ofHours(1));
        assertThat(WebhookDeliveries.pause(1, 1)).isEqualTo(Duration.ofSeconds(5));
        assertThat(WebhookDeliveries.pause(1_000, 0.5)).isEqualTo(Duration.ofMinutes(45));
    }

    private Map<String, String> signed(String secret, @Nullable String before) {
        var endpoint = new StoredWebhooks.Endpoint(
                "whe_1",
                "tenant",
                Instant.now(),
                Instant.now(),
                "name",
                "https://hooks.example/",
                "response.completed",
                secrets.seal(secret, "whe_1"),
                before == null ? null : secrets.seal(before, "whe_1"),
                "");
        return secrets.headers(endpoint, "evt_1", "{}");
    }

    private static void verify(String secret, Map<String, String> headers, String payload)
            throws WebhookVerificationException {
        var lists = headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
        new Webhook(secret).verify(payload, lists);
    }
}
