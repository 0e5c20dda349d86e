package dev.counterpoint.gateway.api.webhooks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The secrets that events are signed with. At rest they are sealed to gateways, each for its endpoint. Thread-safe.
@ApplicationScoped
class WebhookSecrets {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    private final KeyRing keys;

    WebhookSecrets(KeyRing keys) {
        this.keys = keys;
    }

    /// A new secret, in the form of Standard Webhooks.
    static String create() {
        var random = new byte[BYTES];
        RANDOM.nextBytes(random);
        return "whsec_" + Base64.getEncoder().encodeToString(random);
    }

    String seal(String secret, String endpoint) {
        var sealed = keys.sealFor(ServiceRole.GATEWAY, secret.getBytes(US_ASCII), "webhook|" + endpoint);
        return Base64.getEncoder().encodeToString(sealed);
    }

    /// @throws SealException when it was sealed for another endpoint, or to keys that are gone
    String open(String sealed, String endpoint) {
        return new String(keys.open(Base64.getDecoder().decode(sealed), "webhook|" + endpoint), US_ASCII);
    }

    /// The same, sealed to the newest key. One that does not open stays as it is, because its key may come back.
    String reseal(String sealed, String endpoint) {
        try {
            return seal(open(sealed, endpoint), endpoint);
        } catch (SealException e) {
            return sealed;
        }
    }

    /// The headers of Standard Webhooks, with one signature for each secret in force.
    ///
    /// @throws SealException when a secret does not open
    Map<String, String> headers(StoredWebhooks.Endpoint endpoint, String event, String payload) {
        long second = Instant.now().getEpochSecond();
        var signatures = Stream.concat(Stream.of(endpoint.secret()), Stream.ofNullable(endpoint.previousSecret()))
                .map(secret -> sign(open(secret, endpoint.id()), event, second, payload))
                .collect(Collectors.joining(" "));
        return Map.of(
                Webhook.UNBRANDED_MSG_ID_KEY, event,
                Webhook.UNBRANDED_MSG_TIMESTAMP_KEY, Long.toString(second),
                Webhook.UNBRANDED_MSG_SIGNATURE_KEY, signatures);
    }

    private static String sign(String secret, String event, long second, String payload) {
        try {
            return new Webhook(secret).sign(event, second, payload);
        } catch (WebhookSigningException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }
}
