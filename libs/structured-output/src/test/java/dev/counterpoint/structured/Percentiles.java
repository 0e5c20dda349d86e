package dev.counterpoint.structured;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Some times, sorted.
final class Percentiles {
    private final long[] nanos;

    Percentiles(List<Long> nanos) {
        this.nanos = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    int count() {
        return nanos.length;
    }

    /// In µs; 0 when there are no times.
    ///
    /// @param share from 0 to 1
    double micros(double share) {
        return nanos.length == 0 ? 0 : nanos[Math.min(nanos.length - 1, (int) (nanos.length * share))] / 1e3;
    }

    double averageMicros() {
        return Arrays.stream(nanos).average().orElse(0) / 1e3;
    }

    /// By name, in µs.
    Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("count", count());
        json.put("average", rounded(averageMicros()));
        json.put("p50", rounded(micros(0.5)));
        json.put("p90", rounded(micros(0.9)));
        json.put("p99", rounded(micros(0.99)));
        json.put("p99.9", rounded(micros(0.999)));
        json.put("max", rounded(micros(1)));
        return json;
    }

    private static double rounded(double micros) {
        return Math.round(micros * 10) / 10.0;
    }
}
