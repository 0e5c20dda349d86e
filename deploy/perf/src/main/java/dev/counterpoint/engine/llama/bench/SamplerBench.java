package dev.counterpoint.engine.llama.bench;

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

/// Runs [SamplerBenchmark] and prints its table: the fastest tenth, which a busy machine disturbs least.
///
/// With `-Dbench.quick` every benchmark runs for a moment in this JVM: that they still work.
final class SamplerBench {
    private static final double FASTEST = 10;

    private SamplerBench() {}

    static void main() throws RunnerException {
        boolean quick = Boolean.getBoolean("bench.quick");
        double greatest = time(run("greatest", quick, "STEEP", "GREEDY"));
        var times = new TreeMap<SamplerBenchmark.Settings, Map<String, Double>>();
        for (var logits : SamplerBenchmark.Logits.values()) {
            for (var settings : SamplerBenchmark.Settings.values()) {
                times.computeIfAbsent(settings, _ -> new TreeMap<>())
                        .put(logits.name(), time(run("draw", quick, logits.name(), settings.name())));
            }
        }
        System.out.println("| one token of 201,088, microseconds | steep | spread | flat |");
        System.out.println("|---|---:|---:|---:|");
        System.out.printf(Locale.ROOT, "| for comparison: only the greatest logit | %.0f | | |%n", greatest);
        times.forEach((settings, each) -> System.out.printf(
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
                .warmupTime(TimeValue.seconds(2))
                .measurementIterations(1)
                .measurementTime(quick ? TimeValue.milliseconds(20) : TimeValue.seconds(2))
                .build();
        return new Runner(options).runSingle();
    }

    private static double time(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(FASTEST);
    }
}
