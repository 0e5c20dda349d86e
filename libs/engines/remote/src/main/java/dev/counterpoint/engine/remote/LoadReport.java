package dev.counterpoint.engine.remote;

import java.util.DoubleSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The load in a server's metrics. It covers the requests of all clients.
///
/// @param running requests in computation
/// @param waiting requests in the server's queue
/// @param memory part of its cache that running requests hold, in [0, 1]
record LoadReport(int running, int waiting, double memory) {
    private static final Pattern LINE =
            Pattern.compile("(?:vllm|sglang):(\\w+)(?:\\{.*})? (\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?)");

    /// vLLM 0.33.0, `v1/metrics/loggers.py`; SGLang 0.5.23, `managers/scheduler_metrics_mixin.py` with
    /// `--enable-metrics`. Each has a line for each engine or rank behind one address.
    ///
    /// @param metrics in Prometheus' text form
    /// @return null where running or waiting requests are not told
    static @Nullable LoadReport of(String metrics) {
        var told = metrics.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .collect(Collectors.groupingBy(
                        line -> line.group(1),
                        Collectors.summarizingDouble(line -> Double.parseDouble(line.group(2)))));
        var running = first(told, "num_requests_running", "num_running_reqs");
        var waiting = first(told, "num_requests_waiting", "num_queue_reqs");
        var memory = first(told, "kv_cache_usage_perc", "gpu_cache_usage_perc", "token_usage");
        return running == null || waiting == null
                ? null
                : new LoadReport((int) running.getSum(), (int) waiting.getSum(), memory == null ? 0 : memory.getMax());
    }

    private static @Nullable DoubleSummaryStatistics first(Map<String, DoubleSummaryStatistics> told, String... names) {
        return Stream.of(names)
                .map(told::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
