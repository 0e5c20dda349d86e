package dev.counterpoint.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BenchResultsTest {
    private static final Pace PACE = new Pace(64, Duration.ofMillis(20));
    private static final TimePercentiles NONE = TimePercentiles.of(new Histogram(3));

    private static TimePercentiles millis(int from, int to) {
        var histogram = new Histogram(3);
        for (int i = from; i <= to; i++) {
            histogram.recordValue(i * 1_000_000L);
        }
        return TimePercentiles.of(histogram);
    }

    private static BenchCell cell(String target, int streams, long tokens) {
        return cell(target, streams, tokens, 64);
    }

    private static BenchCell cell(String target, int streams, long tokens, int answer) {
        return new BenchCell(
                target,
                new BenchCell.Load(Integer.toString(streams), streams, answer, 50.0 * streams, 10),
                new BenchCell.Times(millis(1, 100), NONE, millis(1, 10)),
                tokens,
                new Endings(10, 9, 1, 0, 0, 0),
                new BenchCell.Cost(
                        Map.of("gateway-1", new ProcessUse(2_000_000, 300_000_000L * streams)),
                        Map.of("gateway-1", new ThreadUse(Map.of("loop-#", 1_000_000_000L, "gc", 1_000L), 1_500)),
                        new ProcessUse(100_000, 1),
                        new ProcessUse(200_000, 1)),
                1.5);
    }

    private static BenchResults results() {
        var options = BenchOptions.parse("--streams", "1,2");
        var cells = List.of(
                cell("suite, Chat", 1, 500), cell("suite, Chat", 1, 1_000, 512), cell("suite, Chat", 1001, 700));
        var agents = List.of(new AgentRun.Turns("suite, Chat", 290_000, 38.2, 110.4));
        return new BenchResults(PACE, options, cells, agents, Map.of("kafka", new ProcessUse(300_000, 0)), 10);
    }

    @Test
    void percentilesAreMilliseconds() {
        var percentiles = millis(1, 1000);
        assertThat(percentiles.p50()).isBetween(499.0, 501.0);
        assertThat(percentiles.p99()).isBetween(989.0, 991.5);
        assertThat(percentiles.p999()).isBetween(998.0, 1000.0);
        assertThat(percentiles.count()).isEqualTo(1000);
    }

    @Test
    void aTokenCostsTheTimeOfAllProcessesOfItsTarget() {
        var cell = cell("suite, Chat", 1, 500);
        assertThat(cell.cpuMicrosPerToken(cell.cost().all())).isEqualTo(4000);
        assertThat(cell.tokensPerSecond()).isEqualTo(50);
    }

    @Test
    void aTargetThatSaysLessThanTheUpstreamIsSaturated() {
        assertThat(cell("suite, Chat", 1, 500).isSaturated()).isFalse();
        assertThat(cell("suite, Chat", 2, 700).isSaturated()).isTrue();
    }

    @Test
    void theTableSaysWhatWasFound() {
        assertThat(results().table())
                .contains("| 1 | 64 | suite, Chat | 50.0 | 99.0 |")
                .contains("| 4000 | 256.0 |")
                .contains("* suite, Chat, 1 streams: 146.3 ms of CPU an answer and 1714 µs each of its tokens")
                .contains("| 1 | 64 | suite, Chat | gateway-1 | 3.0 | loop-# 2000 |")
                .contains("| suite, Chat | 290 | 38.2 | 110 |")
                .contains("suite, Chat: 300000 MB more per 1,000 streams, from 1 to 1001 streams")
                .contains("idle suite: 3.0 % of a core over 10 s (kafka 3.0)");
    }

    @Test
    void theJsonHasEveryCell() {
        var json = results().json();
        assertThat(json.path("cells")).hasSize(3);
        assertThat(json.at("/cells/0/times/firstText/p50").asDouble()).isBetween(49.0, 51.0);
        assertThat(json.at("/cells/0/cost/target/gateway-1/cpuMicros").asLong()).isEqualTo(2_000_000);
    }

    @Test
    void optionsAreReadAndWrongOnesSaidSo() {
        assertThat(BenchOptions.parse("--streams", "64,1").streams()).containsExactly(1, 64);
        assertThat(BenchOptions.parse("--streams", "64,1").slots()).isEqualTo(64);
        assertThat(BenchOptions.parse("--answers", "512,64").answers()).containsExactly(64, 512);
        assertThat(BenchOptions.parse("--output", "/tmp/x").output()).isEqualTo(Path.of("/tmp/x"));
        assertThatIllegalArgumentException().isThrownBy(() -> BenchOptions.parse("--stream", "1"));
        assertThatIllegalArgumentException().isThrownBy(() -> BenchOptions.parse("--streams", "many"));
    }
}
