package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.infra.LocalIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/// Issues the tokens with which staff calls the audit service: JWTs signed with a key of this machine. A
/// deployment has an OIDC server instead.
final class StaffIssuer {
    /// The issuer that the audit service expects (its setting `quarkus.oidc.token.issuer`).
    static final String ISSUER = "counterpoint-local";

    static final String AUDIENCE = "counterpoint-audit";

    /// The roles of the two tokens in `.state/env`: one reads, and asks for erasures; the other one approves
    /// these, and does not read.
    static final List<String> COMPLIANCE_ROLES = List.of(
            "compliance.search",
            "compliance.read",
            "compliance.erase",
            "compliance.hold",
            "compliance.export",
            "auditor");

    static final List<String> APPROVER_ROLES = List.of("compliance.approve", "auditor");

    private static final int KEY_BITS = 3072;

    private final PrivateKey key;
    private final String publicKey;

    private StaffIssuer(PrivateKey key, String publicKey) {
        this.key = key;
        this.publicKey = publicKey;
    }

    /// Reads the keys of this machine, or makes them at the first start.
    static StaffIssuer of(StateFolder state) {
        try {
            if (!Files.exists(state.staffPublicKey())) {
                make(state);
            }
            var encoded = Base64.getDecoder().decode(line(state.staffPrivateKey()));
            var key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
            return new StaffIssuer(key, line(state.staffPublicKey()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key that signs staff's tokens is damaged: " + state.staffPrivateKey());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void make(StateFolder state) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        var pair = generator.generateKeyPair();
        StateFolder.write(state.staffPrivateKey(), base64(pair.getPrivate().getEncoded()));
        StateFolder.write(state.staffPublicKey(), base64(pair.getPublic().getEncoded()));
    }

    private static String base64(byte[] key) {
        return Base64.getEncoder().encodeToString(key) + "\n";
    }

    private static String line(Path file) throws IOException {
        return Files.readString(file, UTF_8).strip();
    }

    /// The key for the service that checks the tokens: base64 of the X.509 encoding.
    String publicKey() {
        return publicKey;
    }

    /// Begins to sign people in to the console, with the same key.
    LocalIssuer signIn(int port, LocalSecrets secrets, URI console) {
        var settings = new LocalIssuer.Settings(
                (RSAPrivateCrtKey) key,
                secrets.consoleClientSecret(),
                secrets.consolePassword(),
                console,
                LocalIssuer.PEOPLE);
        return LocalIssuer.start(port, settings);
    }

    /// A token with a lifetime.
    ///
    /// @param subject the person's name in the access log
    String token(String subject, List<String> roles, Duration lifetime) {
        var now = NumericDate.now();
        var claims = new JwtClaims();
        claims.setIssuer(ISSUER);
        claims.setAudience(AUDIENCE);
        claims.setSubject(checked(subject));
        claims.setIssuedAt(now);
        claims.setExpirationTime(NumericDate.fromSeconds(now.getValue() + lifetime.toSeconds()));
        claims.setStringListClaim("groups", roles);
        var token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        token.setHeader("typ", "JWT");
        token.setPayload(claims.toJson());
        token.setKey(key);
        try {
            return token.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException("signing a token failed", e);
        }
    }

    private static String checked(String subject) {
        if (!subject.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")) {
            throw new IllegalArgumentException(
                    "1 to 64 letters, digits, '.', '_', '@' or '-', the first a letter or digit; not " + subject);
        }
        return subject;
    }

    @Override
    public String toString() {
        return "StaffIssuer[…]";
    }
}
