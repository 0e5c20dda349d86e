package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/// Issues the tokens with which staff calls the audit service: JWTs signed with a key of this machine. A deployment has
/// an OIDC server for this.
final class StaffIssuer {
    /// As the audit service expects it (`quarkus.oidc.token.*` there).
    static final String ISSUER = "counterpoint-local";

    static final String AUDIENCE = "counterpoint-audit";

    /// What the two tokens of `.state/env` allow. The one who erases does not read.
    static final List<String> COMPLIANCE_ROLES = List.of("compliance.search", "compliance.read", "auditor");

    static final List<String> APPROVER_ROLES = List.of("compliance.erase", "auditor");

    private static final int KEY_BITS = 3072;
    private static final String HEADER = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";

    private final PrivateKey key;
    private final String publicKey;

    private StaffIssuer(PrivateKey key, String publicKey) {
        this.key = key;
        this.publicKey = publicKey;
    }

    /// Reads its keys; makes them when they are missing.
    static StaffIssuer of(State state) {
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

    private static void make(State state) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        var pair = generator.generateKeyPair();
        State.write(state.staffPrivateKey(), base64(pair.getPrivate().getEncoded()));
        State.write(state.staffPublicKey(), base64(pair.getPublic().getEncoded()));
    }

    private static String base64(byte[] key) {
        return Base64.getEncoder().encodeToString(key) + "\n";
    }

    private static String line(Path file) throws IOException {
        return Files.readString(file, UTF_8).strip();
    }

    /// For the service that checks the tokens: base64 of the X.509 encoding.
    String publicKey() {
        return publicKey;
    }

    /// A token for a while.
    ///
    /// @param subject who it is for; stands in the access log
    String token(String subject, List<String> roles, Duration lifetime) {
        long now = Instant.now().getEpochSecond();
        var claims = "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":%s,\"iat\":%s,\"exp\":%s,\"groups\":[%s]}"
                .formatted(
                        ISSUER,
                        AUDIENCE,
                        quoted(subject),
                        Long.toString(now),
                        Long.toString(now + lifetime.toSeconds()),
                        roles.stream().map(StaffIssuer::quoted).collect(Collectors.joining(",")));
        var content = part(HEADER.getBytes(UTF_8)) + "." + part(claims.getBytes(UTF_8));
        return content + "." + part(signature(content));
    }

    private byte[] signature(String content) {
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(content.getBytes(UTF_8));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("signing a token failed", e);
        }
    }

    private static String part(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String quoted(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")) {
            throw new IllegalArgumentException(
                    "1 to 64 letters, digits, '.', '_', '@' or '-', the first a letter or digit; not " + text);
        }
        return '"' + text + '"';
    }

    @Override
    public String toString() {
        return "StaffIssuer[…]";
    }
}
