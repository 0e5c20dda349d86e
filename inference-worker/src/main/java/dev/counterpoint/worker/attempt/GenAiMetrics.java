package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.End;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;

/// Meters under the names and with the buckets that OpenTelemetry's conventions for generative AI give them, where
/// they have one. Times count from the acceptance of the request, so they include the wait in the queue; an attempt
/// that continues another's output records no first token. Thread-safe.
final class GenAiMetrics {
    private static final Duration[] FIRST_TOKEN =
            millis(1, 5, 10, 20, 40, 60, 80, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000);
    private static final Duration[] PER_TOKEN = millis(10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 2_500);
    private static final Duration[] REQUEST =
            millis(10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 20_480, 40_960, 81_920);
    private static final double[] TOKENS = {
        1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864
    };

    private final MeterRegistry registry;
    private final Tags tags;
    private final Timer firstToken;
    private final Timer perToken;

    /// @param tags of every meter of the worker
    GenAiMetrics(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        firstToken = timer("time_to_first_token", "From acceptance to the first token", FIRST_TOKEN, tags);
        perToken = timer("time_per_output_token", "From a token to the next, after the first", PER_TOKEN, tags);
    }

    /// @param sinceAccepted negative where the gateway's clock is ahead of ours
    void firstToken(Duration sinceAccepted) {
        firstToken.record(notNegative(sinceAccepted));
    }

    /// An attempt came to the end of the response.
    ///
    /// @param speaking from this attempt's first token to its last
    /// @param tokens that this attempt sampled
    void ended(End end, Duration sinceAccepted, Duration speaking, int tokens) {
        if (tokens > 1) {
            perToken.record(speaking.dividedBy(tokens - 1));
        }
        var finish = tags.and("finish", WorkerMetrics.wireName(end.finish()));
        timer("request.duration", "From acceptance to the end", REQUEST, finish).record(notNegative(sinceAccepted));
        usage("input", end.inputTokens());
        usage("cached", end.cachedTokens());
        usage("output", end.outputTokens());
        usage("reasoning", end.reasoningTokens());
    }

    /// @param kind `cached` is a part of `input`, `reasoning` one of `output`
    private void usage(String kind, int tokens) {
        DistributionSummary.builder("gen_ai.client.token.usage")
                .description("Tokens of a response, by kind")
                .baseUnit("tokens")
                .tags(tags.and("gen_ai.token.type", kind))
                .serviceLevelObjectives(TOKENS)
                .register(registry)
                .record(tokens);
    }

    private Timer timer(String name, String description, Duration[] buckets, Tags labels) {
        return Timer.builder("gen_ai.server." + name)
                .description(description)
                .tags(labels)
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    private static Duration notNegative(Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    private static Duration[] millis(int... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
