package dev.counterpoint.gateway.tenancy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds callers by their keys; keeps the owners of keys that this gateway read lately, so that not every request asks
/// the database. Forgets after seconds, which bounds how long a revoked key still works. Wrong keys have a small room
/// of their own, so that guessing neither fills the memory nor drives out good keys. Thread-safe.
@ApplicationScoped
public class KeyCache {
    private static final int GOOD_MAX = 10_000;
    private static final int WRONG_MAX = 1_000;

    private final Function<byte[], Optional<Caller>> keys;
    private final Cache<String, Optional<Caller>> good;
    private final Cache<String, Boolean> wrong;

    @Inject
    KeyCache(ApiKeys keys, GatewayConfig config) {
        this(keys::open, config.keyCacheTtl());
    }

    /// @param keys who a key belongs to, by its hash
    KeyCache(Function<byte[], Optional<Caller>> keys, Duration life) {
        this.keys = keys;
        good = cache(life, GOOD_MAX);
        wrong = cache(life, WRONG_MAX);
    }

    private static <T> Cache<String, T> cache(Duration life, int atMost) {
        return Caffeine.newBuilder().expireAfterWrite(life).maximumSize(atMost).build();
    }

    /// The caller of a request.
    ///
    /// @param authorization value of the header; null for none
    /// @throws ProblemException 401 when it is no key that opens anything
    public Caller caller(@Nullable String authorization) {
        var secret = ApiKey.secret(authorization).orElseThrow(() -> new ProblemException(Problem.missingKey()));
        return ApiKey.parse(secret).flatMap(this::open).orElseThrow(() -> new ProblemException(Problem.invalidKey()));
    }

    /// Empty for a key that opens nothing.
    Optional<Caller> open(ApiKey key) {
        var hash = key.hash();
        var name = HexFormat.of().formatHex(hash);
        if (wrong.getIfPresent(name) != null) {
            return Optional.empty();
        }
        var caller = good.get(name, _ -> keys.apply(hash)); // the first asks the database, the others wait for it
        if (caller.isEmpty()) {
            good.invalidate(name);
            wrong.put(name, true);
        }
        return caller;
    }
}
