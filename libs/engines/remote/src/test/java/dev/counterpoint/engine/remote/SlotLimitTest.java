package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class SlotLimitTest {
    /// vLLM 0.33.0, `v1/metrics/loggers.py`: two engines behind one address.
    private static final String VLLM = """
            # HELP vllm:num_requests_running Number of requests in model execution batches.
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{engine="0",model_name="gpt-oss-20b"} 12.0
            vllm:num_requests_running{engine="1",model_name="gpt-oss-20b"} 8.0
            vllm:num_requests_waiting{engine="0",model_name="gpt-oss-20b"} 3.0
            vllm:num_requests_waiting{engine="1",model_name="gpt-oss-20b"} 0.0
            vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 3.0
            vllm:kv_cache_usage_perc{engine="0",model_name="gpt-oss-20b"} 0.25
            vllm:kv_cache_usage_perc{engine="1",model_name="gpt-oss-20b"} 0.75
            """;

    /// SGLang 0.5.23 with `--enable-metrics`, `metrics/collector.py`.
    private static final String SGLANG = """
            sglang:num_running_reqs{model_name="gpt-oss"} 5.0
            sglang:num_queue_reqs{model_name="gpt-oss"} 2.0
            sglang:token_usage{model_name="gpt-oss"} 0.5
            """;

    @Test
    void readsWhatServersSay() {
        assertThat(LoadReport.of(VLLM)).isEqualTo(new LoadReport(20, 3, 0.75));
        assertThat(LoadReport.of(SGLANG)).isEqualTo(new LoadReport(5, 2, 0.5));
        assertThat(LoadReport.of("process_cpu_seconds_total 1.5\n")).isNull();
        assertThat(LoadReport.of("vllm:num_requests_running{} x\nvllm:num_requests_waiting{} 1\n"))
                .isNull();
    }

    @Test
    void growsWhileTheServerTakesAllThatItGets() {
        // Given: a server that runs 256 at once, and as many jobs as anybody takes
        var limit = SlotLimit.first(null);
        int looks = 0;
        while (limit.slots() < 256) {
            limit = limit.next(new LoadReport(limit.slots(), 0, 0.3), limit.slots());
            looks++;
        }
        assertThat(looks).as("looks until it is full").isLessThan(10);
    }

    @Test
    void settlesWhereTheServerIsFullAndItsQueueShort() {
        // Given
        int full = 256;
        var limit = SlotLimit.first(null);
        // When
        for (int look = 0; look < 100; look++) {
            int had = limit.slots();
            limit = limit.next(new LoadReport(Math.min(had, full), Math.max(0, had - full), 0.5), had);
        }
        // Then
        assertThat(limit.slots()).isBetween(full, full + full / 8 + 1);
    }

    @Test
    void staysWhileLittleIsAskedFor() {
        var limit = SlotLimit.first(null);

        assertThat(limit.next(new LoadReport(3, 0, 0.1), 3)).isEqualTo(limit);
    }

    @Test
    void growsNoMoreWhenTheMemoryIsFull() {
        var limit = SlotLimit.first(null);

        assertThat(limit.next(new LoadReport(64, 0, 0.97), 64).slots()).isEqualTo(64);
        assertThat(limit.next(new LoadReport(40, 0, 0.97), 40).slots()).isEqualTo(40);
    }

    @Test
    void takesBackItsShareOfWhatWaits() {
        // Given: two workers with 100 requests each before a server that runs 100
        var limit = new SlotLimit(100, SlotLimit.MAX);

        assertThat(limit.next(new LoadReport(100, 100, 0.5), 100).slots()).isEqualTo(50);
        assertThat(limit.next(new LoadReport(2, 500, 0.5), 3).slots()).isEqualTo(SlotLimit.MIN);
    }

    @Test
    void isNeverMoreThanTheServerSaysThatItRuns() {
        var limit = SlotLimit.first(16);

        assertThat(limit.slots()).isEqualTo(16);
        assertThat(limit.next(new LoadReport(16, 0, 0.1), 16).slots()).isEqualTo(16);
        assertThat(Objects.requireNonNull(SlotLimit.first(2))
                        .next(new LoadReport(2, 50, 0.1), 2)
                        .slots())
                .isBetween(1, 2);
    }
}
