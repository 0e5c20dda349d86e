package dev.counterpoint.worker.bench;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs [SamplerBenchmark] and prints its table: medians, which a busy machine disturbs least.
///
/// With `-Dbench.quick` every benchmark runs for a moment in this JVM: that they still work.
final class SamplerBench {
    private static final double MEDIAN = 50;

    private SamplerBench() {}

    static void main() throws RunnerException {
        boolean quick = Boolean.getBoolean("bench.quick");
        double greatest = median(run("greatest", quick, "STEEP", "GREEDY"));
        var medians = new TreeMap<SamplerBenchmark.Settings, Map<String, Double>>();
        for (var logits : SamplerBenchmark.Logits.values()) {
            for (var settings : SamplerBenchmark.Settings.values()) {
                medians.computeIfAbsent(settings, _ -> new TreeMap<>())
                        .put(logits.name(), median(run("draw", quick, logits.name(), settings.name())));
            }
        }
        System.out.println("| one token of 201,088, microseconds | steep | spread | flat |");
        System.out.println("|---|---:|---:|---:|");
        System.out.printf(Locale.ROOT, "| for comparison: only the greatest logit | %.0f | | |%n", greatest);
        medians.forEach((settings, each) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.0f |%n",
                settings.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                each.get("STEEP"),
                each.get("SPREAD"),
                each.get("FLAT")));
        if (quick) {
            System.out.println("bench: every benchmark works; these figures are of cold code and mean nothing");
        }
    }

    private static RunResult run(String method, boolean quick, String logits, String settings) throws RunnerException {
        var options = new OptionsBuilder()
                .include(SamplerBenchmark.class.getName() + "\\." + method + "$")
                .param("logits", logits)
                .param("settings", settings)
                .mode(Mode.SampleTime)
                .timeUnit(TimeUnit.MICROSECONDS)
                .forks(quick ? 0 : 1)
                .jvmArgsAppend("-Xmx512m")
                .warmupIterations(quick ? 0 : 2)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(quick ? 1 : 2)
                .measurementTime(quick ? TimeValue.milliseconds(20) : TimeValue.seconds(1))
                .build();
        return new Runner(options).runSingle();
    }

    private static double median(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(MEDIAN);
    }
}
