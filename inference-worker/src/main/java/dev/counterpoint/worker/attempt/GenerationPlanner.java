package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.engine.EarlyMask;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.Urgency;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.constraint.Constraints;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Converts a job to an engine request: renders the prompt, limits the output and sets the sampling.
final class GenerationPlanner {
    private static final Set<Integer> STOP_TOKENS =
            Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    /// The API allows a top-p of 0, which is no share of the tokens. This share holds the best token alone.
    private static final double BEST_ONLY = 1e-6;

    private final GenerationJob job;
    private final FunctionNames functions;
    private final EngineDescription engine;
    private final PromptRenderer renderer;
    private final WorkerMetrics metrics;
    private final int formTokensMax;

    GenerationPlanner(GenerationJob job, FunctionNames functions, WorkerContext worker) {
        this.job = job;
        this.functions = functions;
        engine = worker.engine().describe();
        renderer = new PromptRenderer(worker.keys());
        metrics = worker.metrics();
        formTokensMax = worker.formTokensMax();
    }

    /// @param runs what was said so far
    GenerationPlan plan(AttemptContext attempt, SampledRuns runs) {
        // Sealed reasoning is checked as of the time of acceptance, so that no wait in the queue and no later
        // attempt changes what the gateway let pass.
        long now = attempt.ticket().response().acceptedAtMillis();
        int[] prompt;
        @Nullable GenerationJob messages;
        TokenMask mask;
        try {
            int[] retold = renderer.retold(job, now);
            if (retold != null) {
                return new GenerationPlan.Retold(retold);
            }
            mask = mask(attempt.ticket().tenant(), runs.demanded());
            prompt = runs.behind(
                    PromptTruncation.fit(job, engine.contextLength(), shorter -> renderer.render(shorter, now)));
            messages = engine.can(Ability.MESSAGES) ? renderer.open(job, now) : null;
        } catch (SealException e) {
            return new GenerationPlan.Refused(End.Finish.INVALID_REASONING, 0);
        } catch (IllegalArgumentException e) {
            return new GenerationPlan.Refused(End.Finish.INVALID_PROMPT, 0);
        }
        int room = engine.contextLength() - prompt.length;
        int limit = limit();
        int left = limit - runs.sampled();
        boolean limitedByJob = limit != 0 && left <= room;
        int max = limitedByJob ? left : room;
        if (max < 1) {
            var full = limitedByJob ? End.Finish.MAX_TOKENS : End.Finish.CONTEXT_FULL;
            return new GenerationPlan.Refused(
                    runs.pending() == 0 ? End.Finish.PROMPT_TOO_LONG : full, prompt.length - runs.sampled());
        }
        var request = new GenerationRequest(
                attempt.publisher().attempt(),
                prompt,
                runs.current(),
                sampling(attempt, runs.pending()),
                max,
                STOP_TOKENS,
                mask,
                attempt.ticket().tenant(),
                messages,
                urgency(attempt.band()));
        return new GenerationPlan.Ready(request, limitedByJob);
    }

    /// The limit of the whole output in tokens; 0 for as many as the context holds.
    private int limit() {
        boolean maskedCalls = engine.can(Ability.MASKS)
                && !job.tools().isEmpty()
                && job.choice().mode() != GenerationJob.ToolChoice.Mode.NONE;
        boolean form = job.format() != null || job.choice().forcesCall() || maskedCalls;
        return job.maxOutputTokens() != 0 || !form ? job.maxOutputTokens() : formTokensMax;
    }

    private static Urgency urgency(Topic.Band band) {
        return switch (band) {
            case HIGH -> Urgency.HIGH;
            case NORMAL -> Urgency.NORMAL;
            case LOW -> Urgency.LOW;
        };
    }

    private TokenMask mask(String tenant, GenerationJob demanded) {
        var mask = Constraints.of(tenant, demanded, functions, engine);
        return engine.can(Ability.MASKS) ? new EarlyMask(mask, metrics.masks()::record) : mask;
    }

    private Sampling sampling(AttemptContext attempt, int run) {
        var wanted = job.sampling();
        var seed = wanted.seed() == null ? seedOf(attempt) : wanted.seed();
        boolean logprobs = wanted.topLogprobs() != null && engine.can(Ability.LOGPROBS);
        return new Sampling(
                Objects.requireNonNullElse(wanted.temperature(), 1.0),
                Math.max(Objects.requireNonNullElse(wanted.topP(), 1.0), BEST_ONLY),
                0,
                wanted.presencePenalty(),
                wanted.frequencyPenalty(),
                wanted.logitBias(),
                // Else each run would draw by the numbers of the one before.
                seed == null ? null : Long.valueOf(seed + run),
                logprobs ? wanted.topLogprobs() : null);
    }

    /// All attempts must sample alike, so the default seed is a function of the response. If a seed cannot ensure
    /// that, there is none, because some servers launch one kernel per seeded request.
    private @Nullable Long seedOf(AttemptContext attempt) {
        return engine.can(Ability.RESUMES_DRAWS) || engine.can(Ability.MESSAGES)
                ? Long.valueOf(attempt.ticket().response().low())
                : null;
    }
}
