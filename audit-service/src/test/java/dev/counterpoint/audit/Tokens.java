package dev.counterpoint.audit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.ConfigProvider;

/// Issues tokens to staff as the local issuer does, and wrong ones as an attacker would.
public record Tokens(byte[] privateKey, String publicKey) {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    static Tokens create() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            var pair = generator.generateKeyPair();
            return new Tokens(
                    pair.getPrivate().getEncoded(),
                    Base64.getEncoder().encodeToString(pair.getPublic().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The issuer of the service under test.
    public static Tokens ofTest() {
        return of(name -> ConfigProvider.getConfig().getValue(name, String.class));
    }

    /// The issuer of a service that was started with these settings.
    static Tokens of(Map<String, String> settings) {
        return of(name -> Objects.requireNonNull(settings.get(name), name));
    }

    private static Tokens of(UnaryOperator<String> settings) {
        return new Tokens(
                Base64.getDecoder().decode(settings.apply("test.issuer-key")),
                settings.apply("quarkus.oidc.public-key"));
    }

    /// Another issuer, whom nobody trusts.
    public static Tokens stranger() {
        return create();
    }

    Map<String, String> settings() {
        return Map.of(
                "quarkus.oidc.public-key",
                publicKey,
                "test.issuer-key",
                Base64.getEncoder().encodeToString(privateKey));
    }

    /// The token's claims, as JSON members; changed ones make wrong tokens.
    public record Claims(String issuer, String audience, String subject, long expiresAt, String groups) {
        public static Claims of(String subject, String... roles) {
            var groups = Arrays.stream(roles).map(role -> "\"" + role + "\"").collect(Collectors.joining(","));
            return new Claims(
                    "counterpoint-local",
                    "counterpoint-audit",
                    subject,
                    Instant.now().getEpochSecond() + 600,
                    "[" + groups + "]");
        }

        public Claims issuer(String other) {
            return new Claims(other, audience, subject, expiresAt, groups);
        }

        public Claims audience(String other) {
            return new Claims(issuer, other, subject, expiresAt, groups);
        }

        public Claims expired() {
            return new Claims(issuer, audience, subject, Instant.now().getEpochSecond() - 60, groups);
        }

        public String json() {
            return "{\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"%s\",\"exp\":%s,\"iat\":%s,\"groups\":%s}"
                    .formatted(
                            issuer,
                            audience,
                            subject,
                            Long.toString(expiresAt),
                            Long.toString(Instant.now().getEpochSecond()),
                            groups);
        }
    }

    public String token(Claims claims) {
        return signed("{\"alg\":\"RS256\",\"typ\":\"JWT\"}", claims.json(), "SHA256withRSA");
    }

    public String token(String subject, String... roles) {
        return token(Claims.of(subject, roles));
    }

    /// A token signed with a good algorithm that the service does not accept.
    public String withAnotherAlgorithm(Claims claims) {
        return signed("{\"alg\":\"RS512\",\"typ\":\"JWT\"}", claims.json(), "SHA512withRSA");
    }

    /// A token with any claims.
    public String raw(String json) {
        return signed("{\"alg\":\"RS256\",\"typ\":\"JWT\"}", json, "SHA256withRSA");
    }

    /// A token without a signature.
    public static String unsigned(Claims claims) {
        return part("{\"alg\":\"none\"}") + "." + part(claims.json()) + ".";
    }

    /// A token signed with our public key as if it were a shared secret.
    public String mixed(Claims claims) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(publicKey.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            var content = part("{\"alg\":\"HS256\"}") + "." + part(claims.json());
            return content + "." + BASE64.encodeToString(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String signed(String header, String claims, String algorithm) {
        try {
            PrivateKey key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(privateKey));
            var content = part(header) + "." + part(claims);
            var signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + "." + BASE64.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String part(String json) {
        return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "Tokens[…]";
    }
}
