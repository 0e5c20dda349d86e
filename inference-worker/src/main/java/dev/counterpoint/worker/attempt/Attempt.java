package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.worker.attempt.AttemptState.Order;
import dev.counterpoint.worker.attempt.EngineRun.RunEnd;
import dev.counterpoint.worker.output.OutputComposer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one attempt that this worker holds. Its own thread renders the prompt, starts the engine and ends the
/// attempt; the engine's threads publish the output.
public final class Attempt implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
    private static final RunEnd CANCELLED = new RunEnd.Stopped(new Step.Stopped(StopReason.CANCELLED));

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
    private final AttemptOutput output;
    private int runsStarted;
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
        output = new AttemptOutput(context, job, worker, composer);
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
            generating.run().end(CANCELLED);
        }
    }

    /// Looks whether the engine works, and whether it is time to end. Some times a second; any thread.
    void tick() {
        if (state.get() instanceof AttemptState.Generating generating) {
            generating.run().tick();
        }
    }

    /// The phase of this attempt now. Any thread.
    AttemptState state() {
        return state.get();
    }

    /// True while the next word is the engine's, and not the bus's. Any thread.
    boolean awaitsEngine() {
        return state.get() instanceof AttemptState.Generating && publisher.hasRoom();
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
            // The message may hold content, so the log names only the class.
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
            if (composer.tokens() % AttemptOutput.TOKENS_OF_A_FRAME_MAX == 0) {
                output.publish();
            }
        }
        output.publish();
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
        if (order() != Order.GO_ON) {
            cancelled();
            return false;
        }
        var engine = worker.engine().describe();
        if (composer.answering() && engine.can(Ability.MESSAGES) && !engine.can(Ability.CONTINUES_ANSWERS)) {
            LOG.warn("an answer that had begun cannot be continued responseId={}", ticket.response());
            end(End.Finish.FAILED);
            return false;
        }
        var run = new EngineRun(context, worker, output, runs);
        start(run, ready.request());
        try (run) {
            return ended(run, ready.limitedByJob(), runs);
        }
    }

    /// The engine may call back immediately; the lock delays its output until the state is set.
    private void start(EngineRun run, GenerationRequest request) {
        synchronized (output) {
            run.start(request);
            var now = state.updateAndGet(before -> before.started(run));
            if (++runsStarted == 1) {
                context.permit().started();
                worker.metrics().prompt(promptTokens);
                spans().generating(worker.engine());
            }
            if (now.order() != Order.GO_ON) {
                run.end(CANCELLED);
            }
        }
    }

    /// Brings the composer to where the last attempt stood.
    private void replay(SampledRuns runs) {
        if (!said.isEmpty()) {
            output.resumed();
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

    /// Waits for the end of a run.
    ///
    /// @return true when another run follows
    private boolean ended(EngineRun run, boolean limitedByJob, SampledRuns runs) throws InterruptedException {
        var how = run.await();
        cachedTokens = runsStarted == 1 ? run.cachedTokens() : cachedTokens;
        furtherPromptTokens += run.furtherPromptTokens();
        switch (how) {
            case RunEnd.AppendFailed _ -> publisher.handover();
            case RunEnd.DeadlinePassed _ -> {}
            case RunEnd.Finished(End.Finish finish) -> {
                state.updateAndGet(AttemptState::engineEnded);
                end(finish);
            }
            case RunEnd.Stopped(Step.Stopped step) -> {
                output.publish();
                boolean goesOn = step.reason() == StopReason.STOP_TOKEN && runs.goesOn();
                if (!goesOn) {
                    state.updateAndGet(AttemptState::engineEnded);
                    stopped(step, limitedByJob, runs);
                }
                return goesOn;
            }
        }
        return false;
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

    private void cancelled() throws InterruptedException {
        switch (order()) {
            case STEER -> end(End.Finish.STEERED);
            case HAND_OVER -> handOver();
            case GO_ON, STOP -> {}
        }
    }

    /// Gives the attempt up for another worker to go on. Where the engine broke before it said anything, this request
    /// may be why: then the owner must see a worker that died, and not pass the request to the next one.
    private void handOver() {
        if (output.saidSomething() || !worker.watchdog().broke(worker.engine())) {
            publisher.handover();
        }
    }

    private void end(End.Finish finish) throws InterruptedException {
        output.publish(finish.answer() == End.Answer.WHOLE ? composer.finish() : composer.cutOff());
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

    /// The state of the reasoning. Harmony always marks reasoning, so the result varies for other models only.
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
        worker.metrics().genAi().ended(end, output.sinceAccepted(), output.speaking(), output.sampledTokens());
    }
}
