package dev.counterpoint.bus.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.crypto.tink.prf.PrfSet;
import dev.counterpoint.bus.audit.AuditTerms;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The tokens by which gateways and the audit service know a person without the name. A tenant has a key of its own
/// (HKDF of the deployment's secret), so that the same name of two tenants has two tokens. Thread-safe.
public final class SubjectTokens {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final PrfSet secret;

    SubjectTokens(PrfSet secret) {
        this.secret = secret;
    }

    /// The token of the end user, or of the API key where the request names no end user.
    ///
    /// @param user as the request names the end user; may be empty
    /// @param key id of the API key
    public byte[] of(String tenant, String user, String key) {
        var name = AuditTerms.personName(user);
        return token(tenant, name.isEmpty() ? "key\0" + key : "user\0" + name);
    }

    private byte[] token(String tenant, String person) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(
                    secret.computePrimary(("subject-token-1|" + tenant).getBytes(UTF_8), BYTES), ALGORITHM));
            return mac.doFinal(person.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new SealException("a subject's token cannot be made");
        }
    }
}
