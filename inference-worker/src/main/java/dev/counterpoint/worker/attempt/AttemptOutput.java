package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.output.OutputComposer;
import dev.counterpoint.worker.output.OutputPart;
import java.time.Duration;
import java.util.List;

/// The output of an attempt on its way into the log, with its times. The engine's threads, the attempt's own and
/// the worker's timer share it: each holds this object's lock during related steps.
final class AttemptOutput {
    /// Tokens of one frame, where so many are ready.
    static final int TOKENS_OF_A_FRAME_MAX = 64;

    private final AttemptContext context;
    private final JobTicket ticket;
    private final GenerationJob job;
    private final WorkerContext worker;
    private final OutputComposer composer;
    private boolean resumed;
    private long publishedAtNanos = System.nanoTime();
    private int sampledTokens;
    private long firstSampledAtNanos;
    private long sampledAtNanos;

    AttemptOutput(AttemptContext context, GenerationJob job, WorkerContext worker, OutputComposer composer) {
        this.context = context;
        ticket = context.ticket();
        this.job = job;
        this.worker = worker;
        this.composer = composer;
    }

    OutputComposer composer() {
        return composer;
    }

    /// Earlier attempts said something.
    void resumed() {
        resumed = true;
        worker.metrics().resumed();
    }

    /// The engine's next token is here.
    synchronized void sampled() {
        worker.watchdog().sign();
        worker.metrics().token();
        sampledAtNanos = System.nanoTime();
        if (sampledTokens++ == 0) {
            context.taken().spans().firstToken();
            firstSampledAtNanos = sampledAtNanos;
            if (!resumed) {
                worker.metrics().genAi().firstToken(sinceAccepted());
            }
            context.permit().firstToken();
            worker.metrics().firstToken(context.sinceTaken());
        }
    }

    /// What was said since the last time.
    synchronized void publish() {
        publish(composer.take());
    }

    synchronized void publish(List<OutputPart> parts) {
        for (var part : parts) {
            switch (part) {
                case OutputPart.Body(int message, var lane, Delta delta) ->
                    context.publisher().delta(message, lane, delta);
                case OutputPart.Reasoned(int[] sampled, int item) ->
                    context.publisher().sealedReasoning(seal(sampled, item));
            }
            publishedAtNanos = System.nanoTime();
        }
    }

    private String seal(int[] sampled, int item) {
        var terms = job.reasoning();
        long expiresAt =
                System.currentTimeMillis() + worker.times().reasoningLifetime().toMillis();
        var id = ticket.response().reasoningItem(terms.bond().firstItem() + item);
        var header = terms.header(expiresAt, PromptRenderer.tokens(sampled, DeclaredFunctions.of(job)), id);
        return SealedReasoning.seal(sampled, header, terms.context(), worker.keys());
    }

    /// Publishes progress of a working engine if nothing was published for a while.
    synchronized void progress() {
        if (System.nanoTime() - publishedAtNanos
                >= worker.times().progressInterval().toNanos()) {
            context.publisher().progress();
            publishedAtNanos = System.nanoTime();
        }
    }

    synchronized boolean saidSomething() {
        return sampledTokens > 0;
    }

    synchronized int sampledTokens() {
        return sampledTokens;
    }

    /// From the first sampled token to the last.
    synchronized Duration speaking() {
        return Duration.ofNanos(sampledAtNanos - firstSampledAtNanos);
    }

    Duration sinceAccepted() {
        return Duration.ofMillis(System.currentTimeMillis() - ticket.response().acceptedAtMillis());
    }
}
