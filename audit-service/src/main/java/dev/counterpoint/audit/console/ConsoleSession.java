package dev.counterpoint.audit.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.MultivaluedMap;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.jwt.JsonWebToken;

/// The session of the one who asks. Its forms carry a token of it, so that no other site sends one. Thread-safe.
@ApplicationScoped
class ConsoleSession {
    static final String TOKEN_FIELD = "form_token";
    private static final Set<String> OWN_PAGES = Set.of("", "same-origin", "none");

    private final SecurityIdentity identity;
    private final CurrentVertxRequest http;
    private final byte[] secret;

    ConsoleSession(SecurityIdentity identity, CurrentVertxRequest http, AuditConfig config) {
        this.identity = identity;
        this.http = http;
        secret = config.consoleClientSecret().orElse("").getBytes(UTF_8);
    }

    /// Stays the same while tokens are refreshed, and is another one after the next sign-in.
    String id() {
        var token = (JsonWebToken) identity.getPrincipal();
        return String.join(
                "\n",
                List.of(token.getIssuer(), token.getSubject(), Objects.toString(token.<Object>getClaim("sid"), "")));
    }

    String formToken() {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(("form\n" + id()).getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    /// The fields of a form of this session that are filled in.
    ///
    /// @throws ProblemException 403 for a form that another site may have sent
    Map<String, String> checked(MultivaluedMap<String, String> form) {
        var site = http.getCurrent().request().getHeader("Sec-Fetch-Site");
        var token = form.getFirst(TOKEN_FIELD);
        if (!OWN_PAGES.contains(site == null ? "" : site)
                || token == null
                || !MessageDigest.isEqual(token.getBytes(UTF_8), formToken().getBytes(UTF_8))) {
            throw new ProblemException(AuditProblem.forgedForm());
        }
        var given = new HashMap<String, String>();
        form.forEach((name, values) -> {
            var value = values.getFirst().strip();
            if (!value.isEmpty() && !name.equals(TOKEN_FIELD)) {
                given.put(name, value);
            }
        });
        return given;
    }
}
