package dev.counterpoint.gateway.tenancy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The secret that a client sends. It is never stored and never logged; only its hash and its first characters are.
///
/// A plain SHA-256 is enough here: a key has 256 random bits, so there is nothing to guess that a slow hash would
/// protect.
public record ApiKey(String secret) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String BEARER = "bearer ";
    private static final int RANDOM_BYTES = 32;
    private static final int PREFIX_LENGTH = 7;
    /// Ours have 46 characters; a launcher may bring its own, but none short enough to be guessed.
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{32,128}");

    public ApiKey {
        if (!FORM.matcher(secret).matches()) {
            throw new IllegalArgumentException("not an API key");
        }
    }

    public static ApiKey create() {
        var random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return new ApiKey("cp-" + Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /// The secret in the value of the header `Authorization`.
    static Optional<String> secret(@Nullable String authorization) {
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return Optional.empty();
        }
        return Optional.of(authorization.substring(BEARER.length()).strip()).filter(secret -> !secret.isEmpty());
    }

    /// Empty for what cannot be a key, so that nonsense costs no look into the database.
    static Optional<ApiKey> parse(String text) {
        return FORM.matcher(text).matches() ? Optional.of(new ApiKey(text)) : Optional.empty();
    }

    byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// For people to recognise it by, as in `cp-abcd`.
    String prefix() {
        return secret.substring(0, PREFIX_LENGTH);
    }

    @Override
    public String toString() {
        return "ApiKey[" + prefix() + "…]";
    }
}
