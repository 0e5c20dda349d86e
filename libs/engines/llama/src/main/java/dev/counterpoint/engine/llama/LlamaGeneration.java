package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.TokenSink;
import java.util.function.Consumer;

/// One sequence as its reader holds it.
final class LlamaGeneration implements Generation {
    final TokenSink sink;
    private final LlamaLoop loop;
    private final TokenMask mask;
    private final Consumer<LlamaGeneration> release;
    private volatile boolean cancelled;
    private long progressSeen;

    LlamaGeneration(LlamaLoop loop, TokenSink sink, TokenMask mask, Consumer<LlamaGeneration> release) {
        this.loop = loop;
        this.sink = sink;
        this.mask = mask;
        this.release = release;
        progressSeen = loop.progress();
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void wake() {
        loop.wake();
    }

    @Override
    public boolean moved() {
        long before = progressSeen;
        progressSeen = loop.progress();
        return progressSeen != before;
    }

    @Override
    public void cancel() {
        cancelled = true;
        mask.cancel();
        loop.wake();
    }

    @Override
    public void close() {
        cancel();
        release.accept(this);
    }
}
