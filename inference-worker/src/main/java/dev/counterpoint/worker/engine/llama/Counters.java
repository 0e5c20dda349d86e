package dev.counterpoint.worker.engine.llama;

import java.util.concurrent.atomic.LongAdder;

/// What the loop has done since it began.
final class Counters {
    private final LongAdder steps = new LongAdder();
    private final LongAdder computedTokens = new LongAdder();
    private final LongAdder reusedTokens = new LongAdder();
    private final LongAdder preemptions = new LongAdder();

    void computed(int tokens) {
        steps.increment();
        computedTokens.add(tokens);
    }

    void reused(int tokens) {
        reusedTokens.add(tokens);
    }

    void preempted() {
        preemptions.increment();
    }

    LlamaStatistics read() {
        return new LlamaStatistics(steps.sum(), computedTokens.sum(), reusedTokens.sum(), preemptions.sum());
    }
}
