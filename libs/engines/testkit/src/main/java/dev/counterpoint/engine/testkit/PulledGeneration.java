package dev.counterpoint.engine.testkit;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenSink;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A generation and what it said, for a test that takes it step by step.
public final class PulledGeneration implements TokenSink, AutoCloseable {
    private static final int STEPS_AHEAD = 16;
    private static final long PATIENCE_MILLIS = 250;

    private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
    private final Generation generation;
    private volatile int cachedTokens;
    private volatile int furtherPromptTokens;
    private Step.@Nullable Stopped stopped;

    public PulledGeneration(Engine engine, GenerationRequest request) {
        generation = engine.start(request, this);
    }

    /// Waits a moment for the next step; null when none came. Once it returned a [Step.Stopped] it returns that
    /// one for ever.
    public @Nullable Step next() throws InterruptedException {
        if (stopped != null) {
            return stopped;
        }
        var step = steps.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        generation.wake();
        if (step instanceof Step.Stopped end) {
            stopped = end;
        }
        return step;
    }

    /// As [Generation#moved].
    public boolean moved() {
        return generation.moved();
    }

    public int cachedTokens() {
        return cachedTokens;
    }

    public int furtherPromptTokens() {
        return furtherPromptTokens;
    }

    /// Cancels the generation and drops the tokens that the reader has not pulled.
    public void cancel() {
        generation.cancel();
        steps.removeIf(Step.Token.class::isInstance);
    }

    @Override
    public void close() {
        generation.close();
    }

    @Override
    public boolean hasRoom() {
        return steps.size() < STEPS_AHEAD;
    }

    @Override
    public void cached(int tokens) {
        cachedTokens = tokens;
    }

    @Override
    public void prompted(int tokens) {
        furtherPromptTokens += tokens;
    }

    @Override
    public void token(Step.Token token) {
        steps.add(token);
    }

    @Override
    public void stopped(Step.Stopped end) {
        steps.add(end);
    }
}
