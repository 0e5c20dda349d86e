package dev.counterpoint.engine.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a server says of its load in its metrics: all requests that it has, whoever sent them.
///
/// @param running requests that it computes
/// @param waiting requests that wait in it
/// @param memory part of its cache that running requests hold, in [0, 1]
record LoadReport(int running, int waiting, double memory) {
    /// vLLM 0.33.0, `v1/metrics/loggers.py`; SGLang 0.5.23, `managers/scheduler_metrics_mixin.py` with
    /// `--enable-metrics`. Each has a line for each engine or rank behind one address.
    private static final Set<String> RUNNING = Set.of("vllm:num_requests_running", "sglang:num_running_reqs");

    private static final Set<String> WAITING = Set.of("vllm:num_requests_waiting", "sglang:num_queue_reqs");
    private static final Set<String> MEMORY =
            Set.of("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "sglang:token_usage");

    /// @param metrics in Prometheus' text form
    /// @return null where running or waiting requests are not told
    static @Nullable LoadReport of(String metrics) {
        var running = values(metrics, RUNNING);
        var waiting = values(metrics, WAITING);
        if (running.isEmpty() || waiting.isEmpty()) {
            return null;
        }
        double memory = values(metrics, MEMORY).stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        return new LoadReport(sum(running), sum(waiting), memory);
    }

    private static int sum(List<Double> values) {
        return (int) values.stream().mapToDouble(Double::doubleValue).sum();
    }

    private static List<Double> values(String metrics, Set<String> names) {
        var values = new ArrayList<Double>();
        metrics.lines().filter(line -> names.contains(name(line))).forEach(line -> {
            try {
                values.add(Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)));
            } catch (NumberFormatException e) {
                // No number, so nothing that counts.
            }
        });
        return values;
    }

    private static String name(String line) {
        int end = line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{');
        return end < 0 ? line : line.substring(0, end);
    }
}
