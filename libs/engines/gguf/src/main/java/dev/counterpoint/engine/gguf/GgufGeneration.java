package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.Generation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// One output: what the model writes, said as Harmony.
final class GgufGeneration implements Generation {
    private final Generation model;
    private final TurnVocabulary vocabulary;
    private final Speech speech;
    private final Queue<Step> ready = new ArrayDeque<>();
    private Step.@Nullable Stopped stopped;
    private volatile boolean cancelled;

    GgufGeneration(Generation model, TurnVocabulary vocabulary, Speech speech) {
        this.model = model;
        this.vocabulary = vocabulary;
        this.speech = speech;
    }

    @Override
    public Step next() throws InterruptedException {
        var step = cancelled ? null : ready.poll();
        if (step != null) {
            return step;
        }
        return stopped == null ? follow(model.next()) : stopped;
    }

    private Step follow(Step step) {
        switch (step) {
            case Step.Working _, Step.Silent _ -> {
                return step;
            }
            case Step.Token token -> speech.accept(vocabulary.text(token.id()));
            case Step.Stopped end -> {
                speech.finish(end.reason() == StopReason.STOP_TOKEN);
                stopped = end;
            }
        }
        for (int id : speech.take()) {
            ready.add(new Step.Token(id, null));
        }
        if (speech.full()) {
            model.cancel();
            stopped = new Step.Stopped(StopReason.LENGTH);
        }
        var next = ready.poll();
        return next != null ? next : stopped == null ? new Step.Working() : stopped;
    }

    @Override
    public boolean isReady() {
        return !ready.isEmpty() && !cancelled || stopped == null && model.isReady();
    }

    @Override
    public int cachedTokens() {
        return model.cachedTokens();
    }

    @Override
    public void cancel() {
        cancelled = true;
        model.cancel();
    }

    @Override
    public void close() {
        model.close();
    }
}
