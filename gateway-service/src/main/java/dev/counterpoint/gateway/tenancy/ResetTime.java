package dev.counterpoint.gateway.tenancy;

import java.time.Duration;

/// Durations as the API writes them in `x-ratelimit-reset-…`: `0s`, `12ms`, `1.5s`, `6m0s`, `1h0m30s`.
final class ResetTime {
    private ResetTime() {}

    static String of(Duration wait) {
        if (wait.compareTo(Duration.ofSeconds(1)) < 0) {
            return wait.toMillis() == 0 ? "0s" : wait.toMillis() + "ms";
        }
        var text = new StringBuilder();
        if (wait.toHours() > 0) {
            text.append(wait.toHours()).append('h');
        }
        if (wait.toMinutes() > 0) {
            text.append(wait.toMinutesPart()).append('m');
        }
        return text.append(seconds(wait)).append('s').toString();
    }

    /// With as many digits after the point as say something.
    private static String seconds(Duration wait) {
        int millis = wait.toMillisPart();
        var fraction = millis == 0 ? "" : ("." + "%03d".formatted(millis)).replaceAll("0+$", "");
        return wait.toSecondsPart() + fraction;
    }
}
