package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.WrittenOutput.Way;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Prints what telling reasoning from answer takes ([SplitBenchmark]), and for how long it holds the answer, counted in
/// deltas and so the same in every run.
///
/// With `-Dbench.quick` every benchmark runs for a moment in this JVM: that they still work.
final class SplitBench {
    private static final List<Way> TIMED = List.of(
            Way.REASONING_CONTENT,
            Way.THINK,
            Way.THINK_OPENED,
            Way.THINK_IN_BRACKETS,
            Way.HARMONY,
            Way.HARMONY_STRIPPED,
            Way.UNKNOWN_THINK);
    private static final int DELTA_MILLIS = 20;

    private SplitBench() {}

    static void main() throws RunnerException {
        boolean quick = Boolean.getBoolean("bench.quick");
        var table = new StringBuilder("| microseconds | first answer p50 | p99 | p99.9"
                + " | any delta p50 | p99 | p99.9 | begin p50 | p99 |\n"
                + "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        for (var way : TIMED) {
            table.append("| ").append(name(way));
            table.append(times("firstAnswer", way, quick, 50, 99, 99.9));
            table.append(times("anyDelta", way, quick, 50, 99, 99.9));
            table.append(times("begin", way, quick, 50, 99)).append(" |\n");
        }
        System.out.println(table);
        System.out.println("| 200 tokens at 50 a second | first word later by | mean delay, s | shown |");
        System.out.println("|---|---:|---:|---:|");
        Arrays.stream(Way.values()).map(SplitBench::held).forEach(System.out::println);
        if (quick) {
            System.out.println("bench: every benchmark works; these figures are of cold code and mean nothing");
        }
    }

    private static String name(Way way) {
        return way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String times(String method, Way way, boolean quick, double... percentiles) throws RunnerException {
        var options = new OptionsBuilder()
                .include(SplitBenchmark.class.getName() + "\\." + method + "$")
                .param("way", way.name())
                .mode(Mode.SampleTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(quick ? 0 : 1)
                .jvmArgsAppend("-Xmx512m")
                .warmupIterations(quick ? 0 : 2)
                .warmupTime(TimeValue.seconds(2))
                .measurementIterations(1)
                .measurementTime(quick ? TimeValue.milliseconds(20) : TimeValue.seconds(3))
                .build();
        var statistics = new Runner(options).runSingle().getPrimaryResult().getStatistics();
        var times = new StringBuilder();
        for (double percentile : percentiles) {
            times.append(String.format(Locale.ROOT, " | %.2f", statistics.getPercentile(percentile) / 1000));
        }
        return times.toString();
    }

    /// A row: each character of the answer is shown with the delta that shows it, or at the end.
    private static String held(Way way) {
        var output = WrittenOutput.of(way);
        var separation = output.begin();
        var deltas = output.deltas();
        int last = output.answerFrom() + WrittenOutput.ANSWER_TOKENS - 1;
        int came = 0;
        int shown = 0;
        int firstShown = -1;
        double delay = 0;
        int[] arrivals = new int[1 << 16];
        for (int at = 0; at < deltas.size(); at++) {
            if (at >= output.answerFrom() && at <= last) {
                int length = deltas.get(at).text().length();
                Arrays.fill(arrivals, came, came + length, at);
                came += length;
            }
            var told = separation.give(deltas.get(at));
            int until = Math.min(came, shown + WrittenOutput.shown(told));
            if (at == deltas.size() - 1) {
                until = Math.min(came, until + WrittenOutput.shown(separation.finish()));
            }
            firstShown = until > 0 && firstShown < 0 ? at : firstShown;
            for (; shown < until; shown++) {
                delay += at - arrivals[shown];
            }
        }
        return shown == 0
                ? String.format(Locale.ROOT, "| %s | never | | 0 %% |", name(way))
                : String.format(
                        Locale.ROOT,
                        "| %s | %d deltas, %.2f s | %.2f | %d %% |",
                        name(way),
                        firstShown - output.answerFrom(),
                        (firstShown - output.answerFrom()) * DELTA_MILLIS / 1000.0,
                        delay / shown * DELTA_MILLIS / 1000,
                        Math.round(100.0 * shown / came));
    }
}
