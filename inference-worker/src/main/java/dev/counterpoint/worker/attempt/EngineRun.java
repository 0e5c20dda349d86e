package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One run of the engine for an attempt: publishes the engine's output on the engine's threads until the run ends.
/// Thread-safe.
final class EngineRun implements TokenSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineRun.class);

    private final AttemptContext context;
    private final WorkerContext worker;
    private final AttemptOutput output;
    private final SampledRuns runs;
    private final CompletableFuture<RunEnd> end = new CompletableFuture<>();

    @SuppressWarnings("NullAway.Init")
    private Generation generation;

    private int untold;
    private int cachedTokens;
    private int furtherPromptTokens;

    EngineRun(AttemptContext context, WorkerContext worker, AttemptOutput output, SampledRuns runs) {
        this.context = context;
        this.worker = worker;
        this.output = output;
        this.runs = runs;
    }

    /// How a run ended for its attempt.
    sealed interface RunEnd {
        record Stopped(Step.Stopped step) implements RunEnd {}

        /// The output is complete, or may not go on.
        record Finished(End.Finish how) implements RunEnd {}

        record AppendFailed() implements RunEnd {}

        /// Only the owner ends an expired response.
        record DeadlinePassed() implements RunEnd {}
    }

    /// Once, before anything else.
    ///
    /// @throws dev.counterpoint.engine.EngineBusyException when every slot is taken
    void start(GenerationRequest request) {
        generation = worker.engine().start(request, this);
    }

    RunEnd await() throws InterruptedException {
        tick();
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Only the first call has an effect; later tokens are ignored.
    void end(RunEnd how) {
        end.complete(how);
    }

    /// Looks whether the engine works, and whether it is time to end.
    void tick() {
        if (context.publisher().failed()) {
            end(new RunEnd.AppendFailed());
        } else if (System.currentTimeMillis() > context.ticket().deadlineMillis()) {
            LOG.info("deadline passed responseId={}", context.ticket().response());
            end(new RunEnd.DeadlinePassed());
        } else if (generation.moved()) {
            worker.watchdog().sign();
            output.progress();
        }
        generation.wake();
    }

    @Override
    public boolean hasRoom() {
        return context.publisher().hasRoom();
    }

    @Override
    public void cached(int tokens) {
        synchronized (output) {
            cachedTokens = tokens;
        }
    }

    @Override
    public void prompted(int tokens) {
        synchronized (output) {
            furtherPromptTokens += tokens;
        }
    }

    @Override
    public void token(Step.Token token) {
        synchronized (output) {
            if (end.isDone()) {
                return;
            }
            try {
                output.sampled();
                boolean fits = runs.accept(token.id(), LogprobText.of(token.id(), token.logprobs()));
                if (!fits || output.composer().stopped()) {
                    end(new RunEnd.Finished(fits ? End.Finish.STOP_SEQUENCE : runs.broken()));
                } else if (++untold >= AttemptOutput.TOKENS_OF_A_FRAME_MAX) {
                    publish();
                }
            } catch (RuntimeException | StackOverflowError e) {
                end.completeExceptionally(e);
            }
        }
    }

    @Override
    public void flush() {
        synchronized (output) {
            if (untold > 0 && !end.isDone()) {
                publish();
            }
        }
    }

    private void publish() {
        output.publish();
        untold = 0;
        if (context.publisher().failed()) {
            end(new RunEnd.AppendFailed());
        }
    }

    @Override
    public void stopped(Step.Stopped step) {
        end(new RunEnd.Stopped(step));
    }

    /// Tokens of the prompt that needed no work.
    int cachedTokens() {
        synchronized (output) {
            return cachedTokens;
        }
    }

    /// Tokens of prompts beyond the request's own.
    int furtherPromptTokens() {
        synchronized (output) {
            return furtherPromptTokens;
        }
    }

    @Override
    public void close() {
        generation.close();
    }
}
