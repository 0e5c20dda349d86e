package dev.counterpoint.local.e2e;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.SuiteWiring;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/// How much later an answer's first text comes because its reasoning is summed up: pairs of requests, one with a
/// summary and one without, in an order that is drawn, with the interval that the pairs leave.
final class SummaryCostBench {
    private static final int PAIRS = Integer.getInteger("bench.pairs", 40);
    private static final int THOUGHTS = Integer.getInteger("bench.thoughts", 150);
    private static final String TOKEN_TIME = "10ms";
    private static final int WARM_UP = 10;
    private static final int RESAMPLES = 10_000;
    private static final String DELTA = "response.output_text.delta";
    private static final String SUMMARY = "response.reasoning_summary_part.added";

    private final ApiClient caller;
    private final Random random = new Random(1);
    private int parts;

    private SummaryCostBench(ApiClient caller) {
        this.caller = caller;
    }

    /// First text after the request, in milliseconds.
    private record Pair(double with, double without) {
        double ratio() {
            return with / without;
        }

        double later() {
            return with - without;
        }
    }

    static void main() throws Exception {
        var folder =
                Files.createTempDirectory(Path.of("target"), "summary-cost").toAbsolutePath();
        var pace =
                Map.of("WORKER_SIMULATED_FIRST_TOKEN_TIME", TOKEN_TIME, "WORKER_SIMULATED_PER_TOKEN_TIME", TOKEN_TIME);
        try (var suite = LaunchedSuite.start(folder, new SuiteWiring(Map.of("worker-1", pace)))) {
            suite.awaitReady();
            new SummaryCostBench(new ApiClient(suite.gateway(), suite.export("COUNTERPOINT_API_KEY"))).measure();
        }
    }

    private void measure() {
        for (int number = 0; number < WARM_UP; number++) {
            pair();
        }
        parts = 0;
        var pairs = new Pair[PAIRS];
        Arrays.setAll(pairs, _ -> pair());
        System.out.printf(
                Locale.ROOT,
                "%d pairs, %d thoughts each %s, %.1f parts a summary%n",
                PAIRS,
                THOUGHTS,
                TOKEN_TIME,
                (double) parts / PAIRS);
        System.out.println("| first text | median | 95 % interval |");
        System.out.println("|---|---:|---:|");
        print("without a summary, ms", pairs, Pair::without);
        print("with one, ms", pairs, Pair::with);
        print("later, ms", pairs, Pair::later);
        print("with : without", pairs, Pair::ratio);
    }

    private Pair pair() {
        if (random.nextBoolean()) {
            double with = firstText(true);
            return new Pair(with, firstText(false));
        }
        double without = firstText(false);
        return new Pair(firstText(true), without);
    }

    private double firstText(boolean summary) {
        var body = """
                {"model":"%s","input":"Recite 5 verifiable words after %d thoughts.","stream":true%s}""".formatted(RunningSuite.MODEL, THOUGHTS, summary ? ",\"reasoning\":{\"summary\":\"auto\"}" : "");
        long begun = System.nanoTime();
        var first = new AtomicLong();
        caller.stream("/v1/responses", body, event -> {
            if (DELTA.equals(event.event())) {
                first.compareAndSet(0, System.nanoTime());
            }
            parts += SUMMARY.equals(event.event()) ? 1 : 0;
        });
        return (first.get() - begun) / 1e6;
    }

    /// The interval is of medians of pairs that are drawn again from these.
    private void print(String what, Pair[] pairs, ToDoubleFunction<Pair> figure) {
        var figures = Arrays.stream(pairs).mapToDouble(figure).toArray();
        var medians = new double[RESAMPLES];
        Arrays.setAll(
                medians,
                _ -> median(random.ints(figures.length, 0, figures.length)
                        .mapToDouble(at -> figures[at])
                        .toArray()));
        Arrays.sort(medians);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.3f | %.3f to %.3f |%n",
                what,
                median(figures),
                medians[(int) (RESAMPLES * 0.025)],
                medians[(int) (RESAMPLES * 0.975)]);
    }

    private static double median(double[] figures) {
        var sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
