package dev.counterpoint.bench;

import java.util.Map;

/// One row of the table: one target under one load.
///
/// @param tokens heard in the measured time
/// @param loadAverage of the machine at its end
record BenchCell(String target, Load load, Times times, long tokens, Endings endings, Cost cost, double loadAverage) {
    private static final double SATURATED = 0.95;

    /// @param streams open ones that it aims at
    /// @param answer tokens of each answer
    /// @param offered tokens/s that the upstream says to so many
    /// @param seconds measured
    record Load(String label, int streams, int answer, double offered, double seconds) {}

    /// @param firstText from the time when the request should have been sent
    /// @param created the same of `response.created`, for Responses
    /// @param transit of each token, from the upstream's write to the caller's read
    record Times(TimePercentiles firstText, TimePercentiles created, TimePercentiles transit) {}

    /// CPU in the measured time, memory at its end.
    ///
    /// @param target by process; empty for the bare upstream
    /// @param threads of the target's processes; empty where nobody looks
    record Cost(
            Map<String, ProcessUse> target, Map<String, ThreadUse> threads, ProcessUse generator, ProcessUse upstream) {
        ProcessUse all() {
            return ProcessUse.sum(target.values());
        }
    }

    double tokensPerSecond() {
        return tokens / load.seconds();
    }

    double cpuMicrosPerToken(ProcessUse use) {
        return tokens == 0 ? 0 : (double) use.cpuMicros() / tokens;
    }

    double cpuMillisPerAnswer(ProcessUse use) {
        return cpuMicrosPerToken(use) * load.answer() / 1000;
    }

    /// Whether clearly less came than the upstream says.
    boolean isSaturated() {
        return tokensPerSecond() < SATURATED * load.offered();
    }
}
