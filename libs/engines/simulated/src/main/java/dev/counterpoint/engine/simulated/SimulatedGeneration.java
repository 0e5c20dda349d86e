package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One output, said at its pace. Token n of this attempt is due at start + first-token time + n times the
/// per-token time, whatever came late before: a slow reader catches up instead of drifting.
final class SimulatedGeneration implements Generation {
    private static final double BANNED = -50;
    /// What a process reports that was killed.
    private static final int KILLED = 137;

    private final GenerationRequest request;
    private final SimulatedOptions options;
    private final Consumer<SimulatedGeneration> release;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final long startNanos = System.nanoTime();

    private @Nullable TokenSpeaker speaker;
    private int outputLength;
    private Step.@Nullable Stopped stopped;

    SimulatedGeneration(GenerationRequest request, SimulatedOptions options, Consumer<SimulatedGeneration> release) {
        this.request = request;
        this.options = options;
        this.release = release;
        this.outputLength = request.prefix().length;
    }

    @Override
    public Step next() throws InterruptedException {
        if (stopped != null) {
            return stopped;
        }
        Step step;
        try {
            step = step();
        } catch (RuntimeException | StackOverflowError e) {
            // The mask refused the prefix, or the engine has a bug; the message could hold content, the type cannot.
            step = new Step.Stopped(
                    StopReason.FAILED, "simulated engine: " + e.getClass().getSimpleName());
        }
        if (step instanceof Step.Stopped end) {
            stopped = end;
        }
        return step;
    }

    private Step step() throws InterruptedException {
        if (cancelled.getCount() == 0) {
            return new Step.Stopped(StopReason.CANCELLED);
        }
        var speaker = speaker();
        var end = end();
        if (end != null) {
            return new Step.Stopped(end);
        }
        if (strikes(options.faults().failAfterTokens())) {
            return new Step.Stopped(StopReason.FAILED, "a fault was asked for");
        }
        boolean hangs = strikes(options.faults().hangAfterTokens());
        long wait = hangs ? Long.MAX_VALUE : dueNanos() - System.nanoTime();
        if (wait > 0) {
            long patience = PATIENCE.toNanos();
            if (cancelled.await(Math.min(wait, patience), TimeUnit.NANOSECONDS)) {
                return new Step.Stopped(StopReason.CANCELLED);
            }
            if (wait > patience) {
                return hangs ? new Step.Silent() : new Step.Working();
            }
        }
        return request.mask().ready(PATIENCE) ? speak(speaker) : new Step.Working();
    }

    /// Reading the prompt and replaying the prefix count as prefill, so they happen on the first pull.
    private TokenSpeaker speaker() {
        if (speaker != null) {
            return speaker;
        }
        var deadly = options.faults().crashOn();
        if (deadly != null && HarmonyTokenizer.shared().decode(request.prompt()).contains(deadly)) {
            Runtime.getRuntime().halt(KILLED);
        }
        var prompt = PromptContent.read(request.prompt());
        var recital = VerifiableRecital.of(prompt, request.id());
        var made = recital == null ? new PlanSpeaker(Plan.of(prompt), prompt.opening(), request.mask()) : recital;
        for (int token : request.prefix()) {
            // A choice under a mask determines later ones.
            choose(made, request.mask().allowed());
            request.mask().accept(token);
            made.accept(token);
        }
        speaker = made;
        return made;
    }

    private @Nullable StopReason end() {
        int[] prefix = request.prefix();
        boolean nothingNew = outputLength == prefix.length && outputLength > 0;
        if (nothingNew && request.stopTokens().contains(prefix[prefix.length - 1])) {
            return StopReason.STOP_TOKEN;
        }
        if (outputLength >= request.maxTokens()) {
            return StopReason.LENGTH;
        }
        boolean full = request.prompt().length + outputLength >= options.contextLength();
        return full ? StopReason.CONTEXT_FULL : null;
    }

    private Step speak(TokenSpeaker speaker) {
        long[] allowed = request.mask().allowed();
        int token = choose(speaker, allowed);
        if (token < 0) {
            return new Step.Stopped(cancelled.getCount() == 0 ? StopReason.CANCELLED : StopReason.NO_TOKEN);
        }
        request.mask().accept(token);
        speaker.accept(token);
        outputLength++;
        if (request.stopTokens().contains(token)) {
            stopped = new Step.Stopped(StopReason.STOP_TOKEN);
        }
        var alternatives = request.sampling().topLogprobs();
        return new Step.Token(
                token, alternatives == null ? null : MadeUpLogprobs.of(outputLength, token, alternatives, allowed));
    }

    private int choose(TokenSpeaker speaker, long @Nullable [] allowed) {
        var bias = request.sampling().logitBias();
        return speaker.choose(id -> TokenMask.allows(allowed, id) && bias.getOrDefault(id, 0.0) > BANNED, allowed);
    }

    private boolean strikes(@Nullable Integer afterTokens) {
        return afterTokens != null && outputLength >= afterTokens;
    }

    private long dueNanos() {
        long said = outputLength - request.prefix().length;
        return startNanos
                + options.firstTokenTime().toNanos()
                + said * options.perTokenTime().toNanos();
    }

    @Override
    public void cancel() {
        cancelled.countDown();
        request.mask().cancel();
    }

    @Override
    public void close() {
        cancel();
        release.accept(this);
    }
}
