package dev.counterpoint.openai.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Measures on one thread and writes `target/wire/results.md`. With `-Dbench.quick` every benchmark
/// runs for a moment in this JVM: that they still work.
final class WireBench {
    private static final Path RESULTS = Path.of("target", "wire", "results.md");

    private WireBench() {}

    static void main() throws IOException, RunnerException {
        boolean quick = Boolean.getBoolean("bench.quick");
        var options = new OptionsBuilder()
                .include(WireBenchmark.class.getName() + "\\..*")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .addProfiler(GCProfiler.class)
                .threads(1)
                .forks(quick ? 0 : 1)
                .warmupIterations(quick ? 0 : 5)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(quick ? 1 : 5)
                .measurementTime(quick ? TimeValue.milliseconds(200) : TimeValue.seconds(1))
                .build();
        var table = table(new ArrayList<>(new Runner(options).run()));
        if (quick) {
            System.out.println("bench: every benchmark works; these figures are of cold code and mean nothing");
        } else {
            Files.createDirectories(RESULTS.getParent());
            Files.writeString(RESULTS, table);
        }
        System.out.println(table);
    }

    private static String table(List<RunResult> results) {
        var wire = new WireBenchmark();
        var table = new StringBuilder("| | bytes | a second | ns | allocated, B |\n|---|---:|---:|---:|---:|\n");
        for (var result : results) {
            var name = result.getParams().getBenchmark().replaceFirst(".*\\.", "");
            double nanos = result.getPrimaryResult().getStatistics().getMin();
            double allocated = requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                    .getScore();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,.0f | %,.0f | %,.0f |%n",
                    name,
                    wire.bytes(name),
                    1e9 / nanos,
                    nanos,
                    allocated));
        }
        return table.toString();
    }
}
