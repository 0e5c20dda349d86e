package dev.counterpoint.engine.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What several servers did with requests: how warm the prompts were, how long first tokens took, and how evenly the
/// work lay. Thread-safe.
public final class RoutingFigures {
    private final int[] requests;
    private final long[] computed;
    private final List<Double> waits = new ArrayList<>();
    private long prompted;
    private long warm;

    public RoutingFigures(int servers) {
        requests = new int[servers];
        computed = new long[servers];
    }

    /// @param promptTokens all of them
    /// @param warmTokens of these, what the server had
    /// @param waitSeconds from the request to its first token
    public synchronized void add(int server, int promptTokens, int warmTokens, double waitSeconds) {
        requests[server]++;
        computed[server] += promptTokens - warmTokens;
        prompted += promptTokens;
        warm += warmTokens;
        waits.add(waitSeconds);
    }

    public synchronized int requests() {
        return waits.size();
    }

    public synchronized long warmTokens() {
        return warm;
    }

    /// The part of all prompts' tokens that servers had.
    public synchronized double warm() {
        return (double) warm / prompted;
    }

    public synchronized double meanSeconds() {
        return waits.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /// To the first token, by nearest rank.
    ///
    /// @param percent from 1 to 100
    public synchronized double seconds(int percent) {
        var sorted = waits.stream().sorted().toList();
        return sorted.get(Math.max(0, Math.ceilDiv(sorted.size() * percent, 100) - 1));
    }

    /// Requests of the server with most of them, of the mean.
    public synchronized double mostRequests() {
        return Arrays.stream(requests).max().orElseThrow()
                / Arrays.stream(requests).average().orElseThrow();
    }

    /// Tokens of prompts that the server with most of them computed, of the mean.
    public synchronized double mostComputed() {
        return Arrays.stream(computed).max().orElseThrow()
                / Arrays.stream(computed).average().orElseThrow();
    }
}
