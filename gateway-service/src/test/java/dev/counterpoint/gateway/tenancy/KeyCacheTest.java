package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyCacheTest {
    private static final Caller CALLER =
            new Caller("tenant_1", "default", "key_1", Set.of(), null, AuditSetting.ASK, false);

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void asksOnceForAGoodKey() {
        // Given
        var cache = cache(Optional.of(CALLER), Duration.ofMinutes(1));
        var key = ApiKey.create();

        // When
        cache.open(key);
        var again = cache.open(key);

        // Then
        assertThat(again).contains(CALLER);
        assertThat(asked).hasValue(1);
    }

    @Test
    void asksOnceForAWrongKey() {
        // Given
        var cache = cache(Optional.empty(), Duration.ofMinutes(1));
        var key = ApiKey.create();

        // When
        cache.open(key);
        var again = cache.open(key);

        // Then
        assertThat(again).isEmpty();
        assertThat(asked).hasValue(1);
    }

    @Test
    void remembersNothingLongerThanAllowed() {
        // Given
        var cache = cache(Optional.of(CALLER), Duration.ZERO);
        var key = ApiKey.create();

        // When
        cache.open(key);
        cache.open(key);

        // Then
        assertThat(asked).hasValue(2);
    }

    @Test
    void aDatabaseThatIsAwayIsNoAnswer() {
        // Given
        var cache = new KeyCache(
                _ -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new IllegalStateException("away");
                    }
                    return Optional.of(CALLER);
                },
                Duration.ofMinutes(1));
        var key = ApiKey.create();

        // Then
        assertThatThrownBy(() -> cache.open(key)).isInstanceOf(IllegalStateException.class);
        assertThat(cache.open(key)).contains(CALLER);
    }

    private KeyCache cache(Optional<Caller> answer, Duration life) {
        return new KeyCache(
                _ -> {
                    asked.incrementAndGet();
                    return answer;
                },
                life);
    }
}
