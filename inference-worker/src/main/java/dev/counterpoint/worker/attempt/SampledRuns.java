package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Delta.TokenLogprob;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import dev.counterpoint.prompt.AsyncResult;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.constraint.StrictCheck;
import dev.counterpoint.worker.output.OutputComposer;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The output of a response, run by run. gpt-oss stops at a call. After a call of an async tool the next run begins:
/// its prompt is the one before, the tokens of the last run, and a tool message that the result is pending. The limits
/// of the response hold for all runs together.
///
/// A pure function of the tokens, so a worker that replays another's tokens is in the same run. Not thread-safe.
final class SampledRuns {
    /// Limits the runs, because a model could make such calls endlessly.
    static final int ASYNC_CALLS_MAX = 8;

    private final GenerationJob job;
    private final ResponseId response;
    private final FunctionNames functions;
    private final OutputComposer composer;
    private final @Nullable StrictCheck check;
    private final Set<String> async;
    /// The tokens behind the job's prompt: the runs that are over, each with its tool messages.
    private final TokenBuffer earlier = new TokenBuffer(0);
    private final TokenBuffer current = new TokenBuffer(0);
    private int pending;
    private int sampled;
    private int reasoned;

    /// @param composer fresh
    /// @throws IllegalArgumentException when a strict schema cannot be enforced
    SampledRuns(JobTicket ticket, GenerationJob job, OutputComposer composer, EngineDescription engine) {
        this.job = job;
        this.composer = composer;
        response = ticket.response();
        functions = DeclaredFunctions.of(job);
        // An engine that obeys masks cannot break what its mask holds.
        check = engine.can(Ability.MASKS)
                ? null
                : StrictCheck.of(ticket.tenant(), job, DeclaredFunctions.callable(job, functions));
        // A model with its own template makes all calls together, and they end its turn.
        async = job.tools().stream()
                .filter(tool -> tool.async() && !engine.can(Ability.MESSAGES))
                .map(FunctionTool::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Receives the next token.
    ///
    /// @param logprob of the token, when asked for
    /// @return false when it breaks what the job demands strictly: it must not be shown
    boolean accept(int token, @Nullable TokenLogprob logprob) {
        if (check != null && !check.accept(token)) {
            return false;
        }
        composer.accept(token, logprob);
        current.add(token);
        if (token == SpecialTokens.CALL && !composer.stopped()) {
            called();
        }
        return true;
    }

    private void called() {
        var calls = composer.calls();
        if (calls.size() == pending || calls.size() > ASYNC_CALLS_MAX || !async.containsAll(calls.values())) {
            return;
        }
        var results = calls.entrySet().stream()
                .skip(pending)
                .map(call -> AsyncResult.pending(response.call(call.getKey()), call.getValue()))
                .toList();
        earlier.addAll(current.take());
        earlier.addAll(PromptRenderer.results(results, functions));
        pending = calls.size();
        sampled = composer.tokens();
        reasoned = composer.reasoningTokens();
        composer.goOn();
        if (check != null) {
            check.goOn();
        }
    }

    /// True when a run is over and the next one has not begun.
    boolean goesOn() {
        return pending > 0 && current.size() == 0;
    }

    /// How the output ends that the model ended.
    End.Finish finish() {
        return check == null || check.finish() ? End.Finish.STOP : broken();
    }

    /// The finish of an output whose last token was rejected.
    End.Finish broken() {
        return check != null && check.tooComplex() ? composer.cutByForm() : End.Finish.NOT_ENFORCED;
    }

    /// The calls in the runs that are over; 0 in the first run.
    int pending() {
        return pending;
    }

    /// The sampled tokens of the runs that are over.
    int sampled() {
        return sampled;
    }

    /// The tokens of this run so far.
    int[] current() {
        return current.toArray();
    }

    /// The prompt of this run.
    int[] behind(int[] prompt) {
        return IntStream.concat(IntStream.of(prompt), IntStream.of(earlier.toArray()))
                .toArray();
    }

    /// What the job demands of this run: a call that had to come was made in the first one, and the bound of the
    /// reasoning is smaller by what was reasoned.
    GenerationJob demanded() {
        var bound = job.reasoning().tokensMax();
        var left = job.reasoning().withTokensMax(bound == null ? null : Math.max(0, bound - reasoned));
        return pending == 0 ? job : job.with(GenerationJob.ToolChoice.AUTO).with(left);
    }
}
