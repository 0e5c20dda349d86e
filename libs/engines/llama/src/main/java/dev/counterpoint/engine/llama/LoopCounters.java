package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.EngineStatistics;
import java.util.concurrent.atomic.LongAdder;

/// The work of the loop since it began.
final class LoopCounters {
    private final LongAdder steps = new LongAdder();
    private final LongAdder computedTokens = new LongAdder();
    private final LongAdder reusedTokens = new LongAdder();
    private final LongAdder preemptions = new LongAdder();
    private volatile int waiting;
    private volatile long heldTokens;

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

    /// After each step.
    void holds(int waitingSequences, long tokens) {
        waiting = waitingSequences;
        heldTokens = tokens;
    }

    /// Context memory of the sequences that run.
    long heldTokens() {
        return heldTokens;
    }

    EngineStatistics read() {
        return new EngineStatistics(steps.sum(), computedTokens.sum(), reusedTokens.sum(), preemptions.sum(), waiting);
    }
}
