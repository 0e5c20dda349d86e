package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the caller of a request by its API key. Thread-safe.
@ApplicationScoped
public class CallerAuthentication {
    private static final String BEARER = "bearer ";

    private final KeyCache keys;

    CallerAuthentication(KeyCache keys) {
        this.keys = keys;
    }

    /// @param authorization value of the header; null for none
    /// @throws ProblemException 401 where it is no key that opens anything
    public Caller caller(@Nullable String authorization) {
        var secret = secret(authorization).orElseThrow(() -> new ProblemException(Problem.missingKey()));
        return ApiKey.parse(secret).flatMap(keys::open).orElseThrow(() -> new ProblemException(Problem.invalidKey()));
    }

    static Optional<String> secret(@Nullable String authorization) {
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return Optional.empty();
        }
        var secret = authorization.substring(BEARER.length()).strip();
        return secret.isEmpty() ? Optional.empty() : Optional.of(secret);
    }
}
