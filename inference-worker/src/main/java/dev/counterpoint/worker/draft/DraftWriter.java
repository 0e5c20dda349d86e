package dev.counterpoint.worker.draft;

import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.draft.DraftTask;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.EarlyMask;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.TokenSink;
import dev.counterpoint.engine.Urgency;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.harmony.tokenizer.TokenBuffer;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.constraint.Constraints;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Writes drafts with the engine. The prompt begins the answer, so that the model does not reason; the task's
/// schema is enforced like the schemas of callers. Thread-safe.
public final class DraftWriter {
    /// The most tokens of any task.
    static final int TOKENS_MAX = 2_048;

    private static final Set<Integer> STOP_TOKENS =
            Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    /// What the model finds that it has said: the header of an answer.
    private static final int[] BEGUN = begun();
    /// Between two looks whether a draft is still wanted.
    private static final long LOOK_MILLIS = 250;
    /// Schemas of drafts are the suite's own and no tenant's.
    private static final String NO_TENANT = "";

    private final Engine engine;
    private final PromptRenderer renderer;
    private final Timer masks;

    /// @param masks timer of the sets of tokens that masks allow
    public DraftWriter(Engine engine, KeyRing keys, Timer masks) {
        this.engine = engine;
        renderer = new PromptRenderer(keys);
        this.masks = masks;
    }

    private static int[] begun() {
        var tokens = new TokenBuffer(3);
        tokens.add(SpecialTokens.CHANNEL);
        HarmonyTokenizer.shared().encode(Channels.FINAL, tokens);
        tokens.add(SpecialTokens.MESSAGE);
        return tokens.toArray();
    }

    /// What came of a task.
    ///
    /// @param text null where there is none
    record Draft(@Nullable String text, int promptTokens, int sampledTokens) {
        static final Draft NOTHING = new Draft(null, 0, 0);

        @Override
        public String toString() {
            return "Draft[%s, promptTokens=%d, sampledTokens=%d]"
                    .formatted(text == null ? "no text" : "text", promptTokens, sampledTokens);
        }
    }

    /// @param goesOn polled several times a second; false gives up the draft
    /// @throws IllegalArgumentException when the schema cannot be enforced
    Draft write(DraftRequest request, DraftTask task, DraftSlot slot, BooleanSupplier goesOn)
            throws InterruptedException {
        var job = job(task);
        var answer = new DraftText(NO_TENANT, job);
        for (int token : BEGUN) {
            answer.accept(token);
        }
        int[] prompt = renderer.render(job, request.response().acceptedAtMillis());
        int most = BEGUN.length + Math.clamp(task.tokensMax(), 1, TOKENS_MAX);
        if (prompt.length + most > engine.describe().contextLength()) {
            return Draft.NOTHING;
        }
        var asked = new GenerationRequest(
                "draft-" + request.id(),
                prompt,
                BEGUN,
                Sampling.GREEDY,
                most,
                STOP_TOKENS,
                mask(job),
                request.response().toString(),
                null,
                Urgency.LOW);
        var listening = new Listening(answer, slot);
        try (var _ = listening.start(engine, asked)) {
            return listening.await(goesOn, prompt.length);
        }
    }

    /// The task as a job of one question, strictly in the form that it asks for.
    static GenerationJob job(DraftTask task) {
        return new GenerationJob(
                List.of(new PromptItem.Instructions(task.instructions()), new PromptItem.User(task.input())),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "",
                new GenerationJob.ResponseFormat("draft", null, task.schema(), true),
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("").withTokensMax(0));
    }

    private TokenMask mask(GenerationJob job) {
        var description = engine.describe();
        var mask = Constraints.of(NO_TENANT, job, DeclaredFunctions.of(job), description);
        return description.can(Ability.MASKS) ? new EarlyMask(mask, masks::record) : mask;
    }

    /// Takes the tokens of one draft.
    private static final class Listening implements TokenSink {
        private final DraftText answer;
        private final DraftSlot slot;
        private final CompletableFuture<Optional<String>> text = new CompletableFuture<>();
        private int sampled;

        Listening(DraftText answer, DraftSlot slot) {
            this.answer = answer;
            this.slot = slot;
        }

        synchronized Generation start(Engine engine, GenerationRequest request) {
            var generation = engine.start(request, this);
            slot.started();
            return generation;
        }

        Draft await(BooleanSupplier goesOn, int promptTokens) throws InterruptedException {
            while (goesOn.getAsBoolean()) {
                try {
                    var written = text.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                    return draft(written.orElse(null), promptTokens);
                } catch (TimeoutException e) {
                    // The loop checks again whether the draft is still wanted.
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
            return draft(null, promptTokens);
        }

        private synchronized Draft draft(@Nullable String written, int promptTokens) {
            return new Draft(written, promptTokens, sampled);
        }

        @Override
        public boolean hasRoom() {
            return !text.isDone();
        }

        @Override
        public synchronized void token(Step.Token token) {
            if (text.isDone()) {
                return;
            }
            if (sampled == 0) {
                slot.firstToken();
            }
            sampled++;
            try {
                if (!answer.accept(token.id())) {
                    text.complete(Optional.empty());
                }
            } catch (RuntimeException e) {
                text.completeExceptionally(e);
            }
        }

        @Override
        public void stopped(Step.Stopped end) {
            try {
                boolean whole = end.reason() == StopReason.STOP_TOKEN && answer.finish();
                text.complete(whole ? Optional.of(answer.text()) : Optional.empty());
            } catch (RuntimeException e) {
                text.completeExceptionally(e);
            }
        }
    }
}
