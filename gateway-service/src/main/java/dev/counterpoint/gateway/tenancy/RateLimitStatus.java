package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The state of a caller's limits, which makes the headers of its answer or its refusal. Pure.
///
/// @param accounts the tenant's and the key's
/// @param at when it stood so
record RateLimitStatus(List<Account> accounts, Instant at) {
    private static final double SECONDS_PER_MINUTE = 60;
    /// While what is kept for others stands in the way: nobody knows when they end.
    private static final Duration SHORTLY = Duration.ofSeconds(1);

    RateLimitStatus {
        accounts = List.copyOf(accounts);
    }

    /// @param standing as the database tells it
    static RateLimitStatus read(String standing, Instant at) {
        var accounts = WireJson.read(standing.getBytes(StandardCharsets.UTF_8), Account[].class);
        return new RateLimitStatus(List.of(accounts), at);
    }

    /// One of those whose limits hold; maxima are null where there is none.
    ///
    /// @param ofKey whether it is the key's and not the tenant's
    /// @param requestsUsed of the minute's; flows off evenly, the maximum in a minute
    /// @param minuteUsed tokens of the minute's; likewise
    /// @param dayUsed tokens since midnight in UTC
    /// @param streams responses under way
    /// @param reserved tokens kept for these
    /// @param refused the limit that leaves no room for one more request, as the admin API names it, or null
    record Account(
            boolean ofKey,
            @Nullable Integer requestsMax,
            double requestsUsed,
            @Nullable Long minuteMax,
            double minuteUsed,
            @Nullable Long dayMax,
            long dayUsed,
            @Nullable Integer streamsMax,
            long streams,
            long reserved,
            @Nullable String refused) {
        private Account with(long tokens) {
            return new Account(
                    ofKey,
                    requestsMax,
                    requestsUsed + 1,
                    minuteMax,
                    minuteUsed,
                    dayMax,
                    dayUsed,
                    streamsMax,
                    streams + 1,
                    reserved + tokens,
                    refused);
        }
    }

    /// The rest of one limit.
    private record Left(long max, double remaining, Duration reset) {}

    /// After one more request was let in.
    ///
    /// @param tokens kept for it
    RateLimitStatus with(long tokens) {
        return new RateLimitStatus(
                accounts.stream().map(account -> account.with(tokens)).toList(), at);
    }

    /// `x-ratelimit-{limit,remaining,reset}-{requests,tokens}`, each of the limit of which the least is left; none
    /// for what is not limited.
    Map<String, String> headers() {
        var headers = new LinkedHashMap<String, String>();
        put(headers, "requests", accounts.stream().flatMap(RateLimitStatus::requests));
        put(headers, "tokens", accounts.stream().flatMap(this::tokens));
        return headers;
    }

    private static void put(Map<String, String> headers, String what, Stream<Left> all) {
        all.min(Comparator.comparingDouble(Left::remaining)).ifPresent(left -> {
            headers.put("x-ratelimit-limit-" + what, Long.toString(left.max));
            headers.put("x-ratelimit-remaining-" + what, Long.toString((long) Math.max(0, left.remaining)));
            headers.put("x-ratelimit-reset-" + what, ResetTime.of(left.reset));
        });
    }

    private static Stream<Left> requests(Account account) {
        var max = account.requestsMax;
        return max == null
                ? Stream.empty()
                : Stream.of(new Left(max, max - account.requestsUsed, flowsOff(account.requestsUsed, max)));
    }

    private Stream<Left> tokens(Account account) {
        var left = Stream.<Left>builder();
        if (account.minuteMax != null) {
            double rest = account.minuteMax - account.minuteUsed - account.reserved;
            left.add(new Left(account.minuteMax, rest, flowsOff(account.minuteUsed, account.minuteMax)));
        }
        if (account.dayMax != null) {
            double rest = (double) account.dayMax - account.dayUsed - account.reserved;
            left.add(new Left(account.dayMax, rest, toMidnight()));
        }
        return left.build();
    }

    /// The refusal; empty when there is room.
    Optional<Problem> refusal() {
        return accounts.stream()
                .filter(account -> account.refused != null)
                .findFirst()
                .map(this::refusal);
    }

    private Problem refusal(Account account) {
        var limit = Objects.requireNonNull(account.refused);
        var whose = account.ofKey ? "this API key" : "this tenant";
        return switch (limit) {
            case "requests_per_minute" -> {
                int max = Objects.requireNonNull(account.requestsMax);
                yield limited("requests per minute", whose, max, flowsOff(account.requestsUsed + 1 - max, max));
            }
            case "tokens_per_minute" -> {
                long max = Objects.requireNonNull(account.minuteMax);
                yield limited("tokens per minute", whose, max, flowsOff(account.minuteUsed - max, max));
            }
            case "tokens_per_day" -> {
                long max = Objects.requireNonNull(account.dayMax);
                yield account.dayUsed < max
                        ? limited("tokens per day", whose, max, SHORTLY)
                        : Problem.insufficientQuota(
                                "You exceeded the quota of tokens per day for %s: limit %d.".formatted(whose, max),
                                toMidnight());
            }
            case "concurrent_streams" ->
                limited("responses under way at once", whose, Objects.requireNonNull(account.streamsMax), SHORTLY);
            default -> throw new IllegalStateException("an unknown limit: " + limit);
        };
    }

    private static Problem limited(String what, String whose, long max, Duration wait) {
        var message = "Rate limit reached for %s: %s may use %d.".formatted(what, whose, max);
        return Problem.rateLimited(message, wait.compareTo(SHORTLY) < 0 ? SHORTLY : wait);
    }

    private static Duration flowsOff(double used, double perMinute) {
        return Duration.ofMillis((long) Math.ceil(Math.max(0, used) / perMinute * SECONDS_PER_MINUTE * 1_000));
    }

    private Duration toMidnight() {
        var tomorrow = LocalDate.ofInstant(at, ZoneOffset.UTC).plusDays(1).atStartOfDay(ZoneOffset.UTC);
        return Duration.between(at, tomorrow);
    }
}
