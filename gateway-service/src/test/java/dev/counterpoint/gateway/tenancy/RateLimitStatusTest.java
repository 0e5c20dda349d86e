package dev.counterpoint.gateway.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.tenancy.RateLimitStatus.Account;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitStatusTest {
    private static final Instant NIGHT = Instant.parse("2026-11-22T23:59:30Z");
    private static final Account NO_LIMIT = new Account(true, null, 0, null, 0, null, 0, null, 0, 0, null);

    @Test
    void tellsTheLimitOfWhichTheLeastIsLeft() {
        // Given
        var tenant = new Account(false, 60, 1, 150_000L, 60_000, 1_000_000L, 999_900, null, 2, 40, null);
        var key = new Account(true, 10, 9, null, 0, null, 0, 4, 1, 40, null);

        // When
        var headers = new RateLimitStatus(List.of(tenant, key), NIGHT).headers();

        // Then
        assertThat(headers)
                .isEqualTo(Map.of(
                        "x-ratelimit-limit-requests", "10",
                        "x-ratelimit-remaining-requests", "1",
                        "x-ratelimit-reset-requests", "54s",
                        "x-ratelimit-limit-tokens", "1000000",
                        "x-ratelimit-remaining-tokens", "60",
                        "x-ratelimit-reset-tokens", "30s"));
    }

    @Test
    void saysNothingOfWhatIsNotLimited() {
        assertThat(new RateLimitStatus(List.of(NO_LIMIT, NO_LIMIT), NIGHT).headers())
                .isEmpty();
        assertThat(new RateLimitStatus(List.of(NO_LIMIT), NIGHT).refusal()).isEmpty();
    }

    @Test
    void whoWasLetInIsCounted() {
        // Given
        var key = new Account(true, 60, 0, 1_000L, 0, null, 0, null, 0, 0, null);

        // When
        var headers =
                new RateLimitStatus(List.of(NO_LIMIT, key), NIGHT).with(250).headers();

        // Then
        assertThat(headers)
                .containsEntry("x-ratelimit-remaining-requests", "59")
                .containsEntry("x-ratelimit-reset-requests", "1s")
                .containsEntry("x-ratelimit-remaining-tokens", "750")
                .containsEntry("x-ratelimit-reset-tokens", "0s");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "requests_per_minute, rate_limit_exceeded, 3000, true",
        "tokens_per_minute, rate_limit_exceeded, 6000, true",
        "tokens_per_day, insufficient_quota, 30000, false",
        "concurrent_streams, rate_limit_exceeded, 1000, true"
    })
    void aRefusalNamesItsLimitAndSaysWhenThereIsRoom(String limit, String code, String millis, String retry) {
        // Given
        var key = new Account(true, 20, 20, 1_000L, 1_100, 100L, 120, 2, 2, 0, limit);

        // When
        var problem =
                new RateLimitStatus(List.of(NO_LIMIT, key), NIGHT).refusal().orElseThrow();

        // Then
        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.message()).contains("this API key");
        assertThat(problem.headers())
                .containsEntry("retry-after-ms", millis)
                .containsEntry("Retry-After", Long.toString(Long.parseLong(millis) / 1_000))
                .containsEntry("x-should-retry", retry);
    }

    @Test
    void aDayThatIsOnlyKeptForOthersIsNotUsedUp() {
        // Given
        var key = new Account(true, null, 0, null, 0, 100L, 50, null, 1, 60, "tokens_per_day");

        // When
        var problem = new RateLimitStatus(List.of(key), NIGHT).refusal().orElseThrow();

        // Then
        assertThat(problem.code()).isEqualTo("rate_limit_exceeded");
        assertThat(problem.headers()).containsEntry("Retry-After", "1");
    }

    @ParameterizedTest(name = "{0} ms are {1}")
    @CsvSource({
        "0, 0s",
        "12, 12ms",
        "999, 999ms",
        "1000, 1s",
        "1500, 1.5s",
        "59071, 59.071s",
        "360000, 6m0s",
        "3630000, 1h0m30s",
        "86399000, 23h59m59s"
    })
    void durationsReadAsOpenAiWritesThem(long millis, String text) {
        assertThat(ResetTime.of(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void readsWhatTheDatabaseTells() {
        // Given
        var told = """
                [{"of_key":false,"requests_max":60,"requests_used":1.5,"minute_max":null,"minute_used":0,"day_max":9,\
                "day_used":3,"streams_max":null,"streams":2,"reserved":4,"refused":"tokens_per_day"}]""";
        // When
        var status = RateLimitStatus.read(told, NIGHT);
        // Then
        assertThat(status.accounts())
                .containsExactly(new Account(false, 60, 1.5, null, 0, 9L, 3, null, 2, 4, "tokens_per_day"));
    }
}
