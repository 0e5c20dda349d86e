package dev.counterpoint.engine.gguf;

import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenSink;

/// Takes what the model writes, and passes it on as Harmony.
final class SpokenSink implements TokenSink {
    private final TokenSink sink;
    private final TurnVocabulary vocabulary;
    private final Speech speech;
    private volatile boolean over;

    SpokenSink(TokenSink sink, TurnVocabulary vocabulary, Speech speech) {
        this.sink = sink;
        this.vocabulary = vocabulary;
        this.speech = speech;
    }

    @Override
    public boolean hasRoom() {
        return !over && sink.hasRoom();
    }

    @Override
    public void cached(int tokens) {
        sink.cached(tokens);
    }

    @Override
    public void token(Step.Token token) {
        if (!over) {
            speech.accept(vocabulary.text(token.id()));
            pass();
        }
    }

    @Override
    public void flush() {
        sink.flush();
    }

    @Override
    public void stopped(Step.Stopped end) {
        if (end.reason() != StopReason.CANCELLED && !over) {
            speech.finish(end.reason() == StopReason.STOP_TOKEN);
            pass();
        }
        if (!over) {
            over = true;
            sink.stopped(end);
        }
    }

    private void pass() {
        for (int id : speech.take()) {
            sink.token(new Step.Token(id, null));
        }
        if (speech.full()) {
            over = true;
            sink.stopped(new Step.Stopped(StopReason.LENGTH));
        }
    }
}
