package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.TokenSink;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One output, said at its pace. Token n of this attempt is due at start + first-token time + n times the
/// per-token time, whatever came late before: a slow reader catches up instead of drifting.
final class SimulatedGeneration implements Generation {
    private static final double BANNED = -50;
    /// What a process reports that was killed.
    private static final int KILLED = 137;
    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final long PATIENCE_NANOS = PATIENCE.toNanos();
    private static final Step.Stopped CANCELLED = new Step.Stopped(StopReason.CANCELLED);

    private final GenerationRequest request;
    private final SimulatedOptions options;
    private final Consumer<SimulatedGeneration> release;
    private final TokenSink sink;
    private final long startNanos = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean cancelled;
    private volatile boolean hangs;
    private int outputLength;

    SimulatedGeneration(
            GenerationRequest request,
            SimulatedOptions options,
            TokenSink sink,
            Consumer<SimulatedGeneration> release) {
        this.request = request;
        this.options = options;
        this.sink = sink;
        this.release = release;
        this.outputLength = request.prefix().length;
    }

    void begin() {
        Thread.ofVirtual().name("simulated-generation").start(() -> sink.stopped(speakAll()));
    }

    private Step.Stopped speakAll() {
        try {
            var speaker = speaker();
            var end = cancelled ? CANCELLED : end();
            while (end == null) {
                end = await() ? speak(speaker) : CANCELLED;
            }
            return end;
        } catch (InterruptedException _) {
            return CANCELLED;
        } catch (RuntimeException | StackOverflowError e) {
            // The mask refused the prefix, or the engine has a bug; the message could hold content, the type cannot.
            return new Step.Stopped(
                    StopReason.FAILED, "simulated engine: " + e.getClass().getSimpleName());
        }
    }

    /// Waits until the next token is due, can be told and its mask is ready.
    ///
    /// @return false after a cancel
    private boolean await() throws InterruptedException {
        hangs = strikes(options.faults().hangAfterTokens());
        long wait = dueNanos() - System.nanoTime();
        if (wait > 0 || hangs || !sink.hasRoom()) {
            sink.flush();
        }
        lock.lock();
        try {
            while (!cancelled && (wait > 0 || hangs || !sink.hasRoom())) {
                changed.awaitNanos(wait > 0 ? wait : PATIENCE_NANOS);
                wait = dueNanos() - System.nanoTime();
            }
        } finally {
            lock.unlock();
        }
        while (!cancelled && !request.mask().ready(PATIENCE)) {
            sink.flush();
        }
        return !cancelled;
    }

    /// Reading the prompt and replaying the prefix count as prefill, so they happen first.
    private TokenSpeaker speaker() {
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
        return made;
    }

    /// The end; null when a token follows.
    private Step.@Nullable Stopped end() {
        int[] prefix = request.prefix();
        boolean nothingNew = outputLength == prefix.length && outputLength > 0;
        if (nothingNew && request.stopTokens().contains(prefix[prefix.length - 1])) {
            return new Step.Stopped(StopReason.STOP_TOKEN);
        }
        if (outputLength >= request.maxTokens()) {
            return new Step.Stopped(StopReason.LENGTH);
        }
        if (request.prompt().length + outputLength >= options.contextLength()) {
            return new Step.Stopped(StopReason.CONTEXT_FULL);
        }
        return strikes(options.faults().failAfterTokens())
                ? new Step.Stopped(StopReason.FAILED, "a fault was asked for")
                : null;
    }

    /// @return the end; null when a token follows
    private Step.@Nullable Stopped speak(TokenSpeaker speaker) {
        long[] allowed = request.mask().allowed();
        int token = choose(speaker, allowed);
        if (token < 0) {
            return cancelled ? CANCELLED : new Step.Stopped(StopReason.NO_TOKEN);
        }
        request.mask().accept(token);
        speaker.accept(token);
        outputLength++;
        var wanted = request.sampling().topLogprobs();
        sink.token(
                new Step.Token(token, wanted == null ? null : MadeUpLogprobs.of(outputLength, token, wanted, allowed)));
        return request.stopTokens().contains(token) ? new Step.Stopped(StopReason.STOP_TOKEN) : end();
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
    public void wake() {
        lock.lock();
        try {
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean moved() {
        return !hangs;
    }

    @Override
    public void cancel() {
        cancelled = true;
        request.mask().cancel();
        wake();
    }

    @Override
    public void close() {
        cancel();
        release.accept(this);
    }
}
