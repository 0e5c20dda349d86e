package dev.counterpoint.worker.job;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.harmony.HarmonyTokenizer;
import dev.counterpoint.harmony.SpecialTokens;
import dev.counterpoint.prompt.Functions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.engine.Engine;
import dev.counterpoint.worker.engine.EngineDescription;
import dev.counterpoint.worker.engine.Generation;
import dev.counterpoint.worker.engine.GenerationRequest;
import dev.counterpoint.worker.engine.Sampling;
import dev.counterpoint.worker.engine.Step;
import dev.counterpoint.worker.engine.StopReason;
import dev.counterpoint.worker.engine.TokenLogprobs;
import dev.counterpoint.worker.output.OutputComposer;
import dev.counterpoint.worker.output.OutputPart;
import dev.counterpoint.worker.prompt.Constraints;
import dev.counterpoint.worker.prompt.Forgetting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one attempt that this worker holds: renders the prompt, drives the engine, publishes what the model says, and
/// ends. One plain loop on a thread of its own; [#stop] and [#giveUp] may come from any thread.
final class Attempt implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
    private static final Set<Integer> STOP_TOKENS =
            Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);

    /// The API's 0 is no share of the tokens; this is that of the best one.
    private static final double BEST_ONLY = 1e-6;

    /// What every attempt of a worker shares.
    ///
    /// @param keys of this worker
    /// @param progressNanos how often a working engine is reported
    /// @param reasoningMillis how long sealed reasoning can be sent back
    record Workplace(
            Engine engine,
            PromptRenderer prompts,
            KeyRing keys,
            long progressNanos,
            long reasoningMillis,
            WorkerMetrics metrics,
            EngineWatch watch) {}

    /// What this worker holds of a response.
    ///
    /// @param takenAtNanos when its job was taken, by [System#nanoTime]
    record Hold(JobTicket ticket, FrameOutbox outbox, Room.Place place, long takenAtNanos) {}

    private final Hold hold;
    private final JobTicket ticket;
    private final GenerationJob job;
    private final @Nullable AuditTrail audit;
    private final List<Prefix.Said> prefix;
    private final FrameOutbox outbox;
    private final Workplace work;
    private final OutputComposer composer;
    private volatile boolean stopped;
    private volatile boolean givenUp;
    private volatile @Nullable Generation generation;
    private volatile boolean generates;
    private long publishedAtNanos = System.nanoTime();
    private boolean saidSomething;
    private int cachedTokens;

    /// @param audit null unless the response is opted in
    /// @param prefix what earlier attempts left
    Attempt(Hold hold, GenerationJob job, @Nullable AuditTrail audit, List<Prefix.Said> prefix, Workplace work) {
        this.hold = hold;
        this.ticket = hold.ticket;
        this.job = job;
        this.audit = audit;
        this.prefix = prefix;
        this.outbox = hold.outbox;
        this.work = work;
        var stops = new OutputComposer.Stops(job.sampling().stop(), job.leeway().oneCall());
        composer = new OutputComposer(Functions.callable(job), stops, work.metrics::repaired, audit != null);
    }

    JobTicket ticket() {
        return ticket;
    }

    Room.Place place() {
        return hold.place;
    }

    /// The log goes on without this attempt: stops the engine and says nothing.
    void stop() {
        stopped = true;
        cancel();
    }

    /// This worker cannot go on: stops the engine and asks the owner for another attempt.
    void giveUp() {
        givenUp = true;
        cancel();
    }

    /// Whether it was told to stop, for whichever reason.
    boolean toldToStop() {
        return stopped || givenUp;
    }

    /// Whether it waits for the engine now, or takes what that said.
    boolean generates() {
        return generates;
    }

    private void cancel() {
        var running = generation;
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public void run() {
        try {
            generate();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outbox.handover();
        } catch (RuntimeException | StackOverflowError e) {
            // The message may hold content, so only its kind is told.
            LOG.error(
                    "attempt failed responseId={} cause={}",
                    ticket.response(),
                    e.getClass().getName());
            outbox.handover();
        }
    }

    private void generate() throws InterruptedException {
        replay();
        var engine = work.engine.describe();
        int[] prompt;
        @Nullable GenerationJob messages;
        try {
            // As of the acceptance, so that no wait in the queue and no later attempt changes what the gateway let
            // pass.
            long now = ticket.response().acceptedAtMillis();
            prompt = Forgetting.fit(job, engine.contextLength(), shorter -> work.prompts.render(shorter, now));
            messages = engine.can(EngineDescription.Ability.MESSAGES) ? work.prompts.open(job, now) : null;
        } catch (SealException e) {
            endUnrun(End.Finish.INVALID_REASONING, 0);
            return;
        } catch (IllegalArgumentException e) {
            endUnrun(End.Finish.INVALID_PROMPT, 0);
            return;
        }
        int room = engine.contextLength() - prompt.length;
        if (room < 1) {
            endUnrun(End.Finish.PROMPT_TOO_LONG, prompt.length);
            return;
        }
        int max = job.maxOutputTokens() == 0 ? room : Math.min(job.maxOutputTokens(), room);
        if (composer.stopped()) {
            // The attempt before found it and did not come to the end.
            end(End.Finish.STOP_SEQUENCE, prompt.length);
            return;
        }
        if (messages != null && composer.answering()) {
            // No attempt could go on in the middle of it.
            end(End.Finish.FAILED, prompt.length);
            return;
        }
        if (toldToStop()) {
            stopped(StopReason.CANCELLED, "", prompt.length, false);
            return;
        }
        try (var running = work.engine.start(request(prompt, max, messages))) {
            generation = running;
            hold.place.started();
            work.metrics.prompt(prompt.length);
            if (toldToStop()) {
                running.cancel();
            }
            follow(running, prompt.length, job.maxOutputTokens() != 0 && max == job.maxOutputTokens());
        }
    }

    private void endUnrun(End.Finish finish, int promptTokens) throws InterruptedException {
        finish(ending(finish, promptTokens));
    }

    /// Brings the composer to where the last attempt stood.
    private void replay() {
        for (var said : prefix) {
            switch (said) {
                case Prefix.Said.Tokens(int[] ids) -> {
                    for (int id : ids) {
                        composer.accept(id, null);
                    }
                }
                case Prefix.Said.Sealed() -> composer.alreadySealed();
            }
        }
    }

    private GenerationRequest request(int[] prompt, int max, @Nullable GenerationJob messages) {
        var engine = work.engine.describe();
        var wanted = job.sampling();
        boolean logprobs = wanted.topLogprobs() != null && engine.can(EngineDescription.Ability.LOGPROBS);
        var sampling = new Sampling(
                wanted.temperature(),
                Math.max(wanted.topP(), BEST_ONLY),
                0,
                wanted.presencePenalty(),
                wanted.frequencyPenalty(),
                wanted.logitBias(),
                // Every attempt must draw alike, so a seed that nobody chose is a function of the response.
                wanted.seed() == null ? Long.valueOf(ticket.response().low()) : wanted.seed(),
                logprobs ? wanted.topLogprobs() : null);
        return new GenerationRequest(
                outbox.attempt(),
                prompt,
                Prefix.tokens(prefix),
                sampling,
                max,
                STOP_TOKENS,
                Constraints.of(job, engine),
                ticket.tenant(),
                messages);
    }

    private void follow(Generation running, int promptTokens, boolean limited) throws InterruptedException {
        while (true) {
            if (outbox.failed()) {
                outbox.handover();
                return;
            }
            if (System.currentTimeMillis() > ticket.deadlineMillis()) {
                // That it expired is for the owner to say.
                LOG.info("deadline passed responseId={}", ticket.response());
                return;
            }
            generates = true;
            switch (running.next()) {
                case Step.Token(int id, TokenLogprobs logprobs) -> {
                    cachedTokens = running.cachedTokens();
                    sampled();
                    publish(composer.accept(id, logprob(id, logprobs)));
                    if (composer.stopped()) {
                        generates = false;
                        end(End.Finish.STOP_SEQUENCE, promptTokens);
                        return;
                    }
                }
                case Step.Working() -> {
                    work.watch.sign();
                    progress();
                }
                case Step.Silent() -> {}
                case Step.Stopped(StopReason reason, String detail) -> {
                    generates = false;
                    stopped(reason, detail, promptTokens, limited);
                    return;
                }
            }
        }
    }

    private void sampled() {
        work.watch.sign();
        work.metrics.token();
        if (!saidSomething) {
            saidSomething = true;
            hold.place.firstToken();
            work.metrics.firstToken(Duration.ofNanos(System.nanoTime() - hold.takenAtNanos));
        }
    }

    private void stopped(StopReason reason, String detail, int promptTokens, boolean limited)
            throws InterruptedException {
        switch (reason) {
            case STOP_TOKEN -> end(End.Finish.STOP, promptTokens);
            case LENGTH -> end(limited ? End.Finish.MAX_TOKENS : End.Finish.CONTEXT_FULL, promptTokens);
            case CONTEXT_FULL -> end(End.Finish.CONTEXT_FULL, promptTokens);
            case CANCELLED -> {
                if (givenUp) {
                    outbox.handover();
                }
            }
            case FAILED -> {
                LOG.warn("engine failed responseId={} detail={}", ticket.response(), detail);
                outbox.handover();
            }
        }
    }

    private void end(End.Finish finish, int promptTokens) throws InterruptedException {
        boolean meant = finish == End.Finish.STOP || finish == End.Finish.STOP_SEQUENCE;
        publish(meant ? composer.finish() : composer.cutOff());
        finish(ending(finish, promptTokens));
    }

    private End ending(End.Finish finish, int promptTokens) {
        return new End(
                finish,
                promptTokens,
                cachedTokens,
                composer.tokens(),
                composer.reasoningTokens(),
                System.currentTimeMillis(),
                reasoning());
    }

    /// Harmony tells reasoning by itself, so only of other models there is more to say.
    private End.Reasoning reasoning() {
        var told = composer.reasoning();
        var limit = job.reasoning().tokensMax();
        boolean wanted = limit == null || limit > 0;
        if (!work.engine.describe().can(EngineDescription.Ability.MESSAGES)) {
            return End.Reasoning.TOLD;
        }
        return told == End.Reasoning.MISSING && !wanted ? End.Reasoning.TOLD : told;
    }

    private void finish(End end) throws InterruptedException {
        if (stopped) {
            return;
        }
        boolean traced = traced(end);
        if (!stopped && !(traced && outbox.end(end))) {
            outbox.handover();
        }
    }

    /// @return whether there is nothing to trace, or the audit topic has it
    private boolean traced(End end) throws InterruptedException {
        return audit == null || outbox.trace(audit.record(end, composer.takeReasoning(), work.keys));
    }

    private void publish(List<OutputPart> parts) {
        for (var part : parts) {
            switch (part) {
                case OutputPart.Body(int message, var lane, Delta delta) -> outbox.delta(message, lane, delta);
                case OutputPart.Reasoned(int[] sampled) -> outbox.sealedReasoning(seal(sampled));
            }
            publishedAtNanos = System.nanoTime();
        }
    }

    private String seal(int[] sampled) {
        var terms = job.reasoning();
        long expiresAt = System.currentTimeMillis() + work.reasoningMillis;
        int tokens = PromptRenderer.tokens(sampled, Functions.of(job));
        var header = new SealedReasoning.Header(expiresAt, tokens, terms.conversation());
        return SealedReasoning.seal(sampled, header, terms.context(), work.keys);
    }

    private void progress() {
        if (System.nanoTime() - publishedAtNanos >= work.progressNanos) {
            outbox.progress();
            publishedAtNanos = System.nanoTime();
        }
    }

    private static Delta.@Nullable TokenLogprob logprob(int id, @Nullable TokenLogprobs logprobs) {
        if (logprobs == null) {
            return null;
        }
        var top = logprobs.top().stream()
                .map(other -> logprob(other.token(), other.logprob(), List.of()))
                .toList();
        return logprob(id, logprobs.logprob(), top);
    }

    private static Delta.TokenLogprob logprob(int id, double logprob, List<Delta.TokenLogprob> top) {
        var bytes = HarmonyTokenizer.shared().bytes(id);
        return new Delta.TokenLogprob(new String(bytes, StandardCharsets.UTF_8), bytes, logprob, top);
    }
}
