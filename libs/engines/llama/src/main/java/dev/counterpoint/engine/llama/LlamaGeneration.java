package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.TokenSink;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reader's end of one sequence: a few steps lie ready here, and when nobody fetches them the sequence
/// waits.
final class LlamaGeneration implements Generation, TokenSink {
    private static final int STEPS_AHEAD = 16;

    private final LlamaLoop loop;
    private final TokenMask mask;
    private final Consumer<LlamaGeneration> release;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Step> steps = new ArrayDeque<>();

    private volatile boolean cancelled;
    private volatile int cachedTokens;
    private Step.@Nullable Stopped stopped;
    private long progressSeen;

    LlamaGeneration(LlamaLoop loop, TokenMask mask, Consumer<LlamaGeneration> release) {
        this.loop = loop;
        this.mask = mask;
        this.release = release;
        this.progressSeen = loop.progress();
    }

    @Override
    public Step next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = PATIENCE.toNanos();
            while (stopped == null && !cancelled && steps.isEmpty() && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return take();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isReady() {
        lock.lock();
        try {
            return !steps.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private Step take() {
        if (stopped != null) {
            return stopped;
        }
        if (cancelled) {
            stopped = new Step.Stopped(StopReason.CANCELLED);
            return stopped;
        }
        boolean wasFull = steps.size() >= STEPS_AHEAD;
        var step = steps.poll();
        if (step == null) {
            return waited();
        }
        if (step instanceof Step.Stopped end) {
            stopped = end;
        }
        if (wasFull) {
            loop.wake();
        }
        return step;
    }

    private Step waited() {
        long progress = loop.progress();
        boolean moved = progress != progressSeen;
        progressSeen = progress;
        return moved ? new Step.Working() : new Step.Silent();
    }

    @Override
    public int cachedTokens() {
        return cachedTokens;
    }

    @Override
    public void cached(int tokens) {
        cachedTokens = tokens;
    }

    /// True if the reader keeps up. When not, [LlamaLoop#wake] follows once it does.
    @Override
    public boolean hasRoom() {
        lock.lock();
        try {
            return steps.size() < STEPS_AHEAD;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void token(Step.Token token) {
        offer(token);
    }

    @Override
    public void stopped(Step.Stopped end) {
        offer(end);
    }

    private void offer(Step step) {
        lock.lock();
        try {
            steps.add(step);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void cancel() {
        lock.lock();
        try {
            cancelled = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        mask.cancel();
        loop.wake();
    }

    @Override
    public void close() {
        cancel();
        if (closed.compareAndSet(false, true)) {
            release.accept(this);
        }
    }
}
