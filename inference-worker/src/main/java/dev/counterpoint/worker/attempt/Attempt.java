package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.attempt.AttemptState.Order;
import dev.counterpoint.worker.output.OutputComposer;
import dev.counterpoint.worker.output.OutputPart;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one attempt that this worker holds: renders the prompt, drives the engine, publishes what the model
/// says, and ends. One plain loop on a thread of its own.
public final class Attempt implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
    /// Tokens that one frame takes along, where so many lie ready.
    private static final int TOKENS_OF_A_FRAME_MAX = 64;

    private final AttemptContext context;
    private final JobTicket ticket;
    private final FramePublisher publisher;
    private final GenerationJob job;
    private final FunctionNames functions;
    private final @Nullable TraceRecordHeader audit;
    private final List<ResumeState.Said> said;
    private final WorkerContext worker;
    private final OutputComposer composer;
    private final AtomicReference<AttemptState> state = new AtomicReference<>(new AttemptState.Preparing(Order.GO_ON));
    private long publishedAtNanos = System.nanoTime();
    private boolean saidSomething;
    private int sampledTokens;
    private long firstSampledAtNanos;
    private long sampledAtNanos;
    private int promptTokens;
    private int cachedTokens;
    private int furtherPromptTokens;

    /// @param audit null unless the response is opted in
    /// @param said what earlier attempts left
    public Attempt(
            AttemptContext context,
            GenerationJob job,
            @Nullable TraceRecordHeader audit,
            List<ResumeState.Said> said,
            WorkerContext worker) {
        this.context = context;
        this.ticket = context.ticket();
        this.publisher = context.publisher();
        this.job = job;
        this.functions = DeclaredFunctions.of(job);
        this.audit = audit;
        this.said = said;
        this.worker = worker;
        var stops = new OutputComposer.Stops(job.sampling().stop(), job.leeway().oneCall());
        composer = new OutputComposer(
                DeclaredFunctions.callable(job, functions), stops, worker.metrics()::repaired, audit != null);
    }

    CapacityGate.Permit permit() {
        return context.permit();
    }

    AttemptSpans spans() {
        return context.taken().spans();
    }

    /// Any thread.
    void tell(Order order) {
        if (state.updateAndGet(now -> now.told(order)) instanceof AttemptState.Generating generating) {
            generating.generation().cancel();
        }
    }

    /// The phase of this attempt now. Any thread.
    AttemptState state() {
        return state.get();
    }

    /// True while the next word is the engine's, and not the bus's. Any thread.
    boolean awaitsEngine() {
        return state.get() instanceof AttemptState.Generating && !publisher.appending();
    }

    private Order order() {
        return state.get().order();
    }

    @Override
    public void run() {
        try {
            generate();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            publisher.handover();
        } catch (RuntimeException | StackOverflowError e) {
            // The message may hold content, so only its kind is told.
            LOG.error(
                    "attempt failed responseId={} cause={}",
                    ticket.response(),
                    e.getClass().getName());
            handOver();
        }
    }

    private void generate() throws InterruptedException {
        SampledRuns runs;
        try {
            runs = new SampledRuns(ticket, job, composer, worker.engine().describe());
        } catch (IllegalArgumentException _) {
            finish(ending(End.Finish.INVALID_PROMPT));
            return;
        }
        replay(runs);
        var planner = new GenerationPlanner(job, functions, worker);
        boolean goesOn;
        do {
            goesOn = run(planner.plan(context, runs), runs);
        } while (goesOn);
    }

    /// @return true when another run follows
    private boolean run(GenerationPlan plan, SampledRuns runs) throws InterruptedException {
        switch (plan) {
            case GenerationPlan.Refused(End.Finish finish, int tokens) -> {
                promptTokens = tokens;
                finish(ending(finish));
            }
            case GenerationPlan.Ready ready -> {
                promptTokens = ready.request().prompt().length - runs.sampled();
                return generate(ready, runs);
            }
            case GenerationPlan.Retold(int[] tokens) -> retell(tokens);
        }
        return false;
    }

    /// Tells earlier reasoning again, from where the last attempt stopped. No token is sampled, so none is counted.
    private void retell(int[] tokens) throws InterruptedException {
        for (int at = composer.tokens(); at < tokens.length && order() == Order.GO_ON && !publisher.failed(); at++) {
            composer.accept(tokens[at], null);
            if (composer.tokens() % TOKENS_OF_A_FRAME_MAX == 0) {
                publish(composer.take());
            }
        }
        publish(composer.take());
        if (publisher.failed()) {
            publisher.handover();
        } else if (order() == Order.GO_ON) {
            finish(new End(End.Finish.STOP, 0, 0, 0, 0, System.currentTimeMillis()));
        } else {
            cancelled();
        }
    }

    private boolean generate(GenerationPlan.Ready ready, SampledRuns runs) throws InterruptedException {
        if (composer.stopped()) {
            // The attempt before found the stop sequence and did not come to the end.
            end(End.Finish.STOP_SEQUENCE);
            return false;
        }
        var engine = worker.engine().describe();
        if (composer.answering() && engine.can(Ability.MESSAGES) && !engine.can(Ability.CONTINUES_ANSWERS)) {
            LOG.warn("an answer that had begun cannot be continued responseId={}", ticket.response());
            end(End.Finish.FAILED);
            return false;
        }
        if (order() != Order.GO_ON) {
            cancelled();
            return false;
        }
        try (var generation = worker.engine().start(ready.request())) {
            var now = state.updateAndGet(before -> before.started(generation));
            if (!saidSomething) {
                context.permit().started();
                worker.metrics().prompt(promptTokens);
                spans().generating(worker.engine());
            }
            if (now.order() != Order.GO_ON) {
                generation.cancel();
            }
            return follow(generation, ready.limitedByJob(), runs);
        }
    }

    /// Brings the composer to where the last attempt stood.
    private void replay(SampledRuns runs) {
        if (!said.isEmpty()) {
            worker.metrics().resumed();
        }
        for (var each : said) {
            switch (each) {
                case ResumeState.Said.Tokens(int[] ids) -> {
                    for (int id : ids) {
                        runs.accept(id, null);
                    }
                }
                case ResumeState.Said.Sealed() -> composer.alreadySealed();
            }
        }
        composer.take(); // the log has it
    }

    private boolean follow(Generation generation, boolean limitedByJob, SampledRuns runs) throws InterruptedException {
        boolean first = !saidSomething;
        int untold = 0;
        while (true) {
            if (publisher.failed()) {
                publisher.handover();
                return false;
            }
            if (System.currentTimeMillis() > ticket.deadlineMillis()) {
                // That the response expired is for its owner to say.
                LOG.info("deadline passed responseId={}", ticket.response());
                return false;
            }
            var step = generation.next();
            cachedTokens = first ? generation.cachedTokens() : cachedTokens;
            furtherPromptTokens = generation.furtherPromptTokens();
            switch (step) {
                case Step.Token(int id, TokenLogprobs logprobs) -> {
                    sampled();
                    boolean fits = runs.accept(id, LogprobText.of(id, logprobs));
                    if (!fits || composer.stopped()) {
                        state.updateAndGet(AttemptState::engineEnded);
                        end(fits ? End.Finish.STOP_SEQUENCE : runs.broken());
                        return false;
                    }
                    if (++untold >= TOKENS_OF_A_FRAME_MAX || !generation.isReady()) {
                        publish(composer.take());
                        untold = 0;
                        progress();
                    }
                }
                case Step.Working() -> {
                    worker.watchdog().sign();
                    progress();
                }
                case Step.Silent() -> {}
                case Step.Stopped stopped -> {
                    publish(composer.take());
                    boolean goesOn = stopped.reason() == StopReason.STOP_TOKEN && runs.goesOn();
                    if (!goesOn) {
                        state.updateAndGet(AttemptState::engineEnded);
                        stopped(stopped, limitedByJob, runs);
                    }
                    return goesOn;
                }
            }
        }
    }

    private void sampled() {
        worker.watchdog().sign();
        worker.metrics().token();
        sampledTokens++;
        sampledAtNanos = System.nanoTime();
        if (!saidSomething) {
            saidSomething = true;
            spans().firstToken();
            firstSampledAtNanos = sampledAtNanos;
            if (said.isEmpty()) {
                worker.metrics().genAi().firstToken(sinceAccepted());
            }
            context.permit().firstToken();
            worker.metrics().firstToken(context.sinceTaken());
        }
    }

    private Duration sinceAccepted() {
        return Duration.ofMillis(System.currentTimeMillis() - ticket.response().acceptedAtMillis());
    }

    private void stopped(Step.Stopped stopped, boolean limitedByJob, SampledRuns runs) throws InterruptedException {
        var reason = stopped.reason();
        switch (reason) {
            case STOP_TOKEN -> end(runs.finish());
            case REFUSED, BUSY, MISCONFIGURED -> {
                LOG.warn("engine ends reason={} responseId={} detail={}", reason, ticket.response(), stopped.detail());
                end(
                        switch (reason) {
                            case BUSY -> End.Finish.UPSTREAM_BUSY;
                            case MISCONFIGURED -> End.Finish.UPSTREAM_MISCONFIGURED;
                            default -> End.Finish.UPSTREAM_REFUSED;
                        });
            }
            case PROMPT_TOO_LONG -> end(End.Finish.PROMPT_TOO_LONG);
            case WITHHELD -> end(End.Finish.CONTENT_FILTER);
            case LENGTH -> end(limitedByJob ? End.Finish.MAX_TOKENS : End.Finish.CONTEXT_FULL);
            case CONTEXT_FULL -> end(End.Finish.CONTEXT_FULL);
            case CANCELLED -> cancelled();
            case NO_TOKEN -> end(composer.cutByForm());
            case FAILED -> {
                LOG.warn("engine failed responseId={} detail={}", ticket.response(), stopped.detail());
                handOver();
            }
        }
    }

    private void cancelled() {
        if (order() == Order.HAND_OVER) {
            handOver();
        }
    }

    /// Gives the attempt up for another worker to go on. Where the engine broke before it said anything, this request
    /// may be why: then the owner must see a worker that died, and not pass the request to the next one.
    private void handOver() {
        if (saidSomething || !worker.watchdog().broke(worker.engine())) {
            publisher.handover();
        }
    }

    private void end(End.Finish finish) throws InterruptedException {
        publish(finish.answer() == End.Answer.WHOLE ? composer.finish() : composer.cutOff());
        finish(ending(composer.finished(finish)));
    }

    private End ending(End.Finish finish) {
        return new End(
                finish,
                promptTokens + furtherPromptTokens,
                cachedTokens,
                composer.tokens(),
                composer.reasoningTokens(),
                System.currentTimeMillis(),
                reasoning(),
                composer.undeclaredCalls());
    }

    /// The state of the reasoning. A Harmony model always tells it, so the answer differs for other models only.
    private End.Reasoning reasoning() {
        var told = composer.reasoning();
        var limit = job.reasoning().tokensMax();
        boolean wanted = limit == null || limit > 0;
        if (!worker.engine().describe().can(Ability.MESSAGES)) {
            return End.Reasoning.TOLD;
        }
        return told == End.Reasoning.MISSING && !wanted ? End.Reasoning.TOLD : told;
    }

    private void finish(End end) throws InterruptedException {
        if (order() == Order.STOP) {
            return;
        }
        spans().generated(end);
        boolean traced =
                audit == null || publisher.trace(audit.record(end, composer.takeReasoning(), worker.keys()), spans());
        if (order() == Order.STOP) {
            return;
        }
        if (!traced || !publisher.end(end, spans())) {
            publisher.handover();
            return;
        }
        var speaking = Duration.ofNanos(sampledAtNanos - firstSampledAtNanos);
        worker.metrics().genAi().ended(end, sinceAccepted(), speaking, sampledTokens);
    }

    private void publish(List<OutputPart> parts) {
        for (var part : parts) {
            switch (part) {
                case OutputPart.Body(int message, var lane, Delta delta) -> publisher.delta(message, lane, delta);
                case OutputPart.Reasoned(int[] sampled, int item) -> publisher.sealedReasoning(seal(sampled, item));
            }
            publishedAtNanos = System.nanoTime();
        }
    }

    private String seal(int[] sampled, int item) {
        var terms = job.reasoning();
        long expiresAt =
                System.currentTimeMillis() + worker.times().reasoningLifetime().toMillis();
        var id = ticket.response().reasoningItem(terms.bond().firstItem() + item);
        var header = terms.header(expiresAt, PromptRenderer.tokens(sampled, functions), id);
        return SealedReasoning.seal(sampled, header, terms.context(), worker.keys());
    }

    private void progress() {
        if (System.nanoTime() - publishedAtNanos
                >= worker.times().progressInterval().toNanos()) {
            publisher.progress();
            publishedAtNanos = System.nanoTime();
        }
    }
}
