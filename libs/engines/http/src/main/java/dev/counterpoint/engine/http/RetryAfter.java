package dev.counterpoint.engine.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, with a fraction at some servers, or a date.
final class RetryAfter {
    private static final String HEADER = "Retry-After";

    private RetryAfter() {}

    /// @param now to compare a date with
    /// @return null when the header is missing or says nothing
    static @Nullable Duration of(HttpHeaders headers, Instant now) {
        return headers.firstValue(HEADER).map(value -> of(value.strip(), now)).orElse(null);
    }

    private static @Nullable Duration of(String value, Instant now) {
        try {
            if (value.matches("\\d{1,6}(?:\\.\\d{1,9})?")) {
                return Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000));
            }
            var date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return date.isAfter(now) ? Duration.between(now, date) : Duration.ZERO;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
