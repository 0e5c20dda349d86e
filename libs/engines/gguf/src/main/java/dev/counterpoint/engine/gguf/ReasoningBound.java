package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.engine.gguf.TurnStep.Part;
import dev.counterpoint.harmony.tokenizer.Utf8Stream;
import org.jspecify.annotations.Nullable;

/// Counts the tokens of a turn's reasoning. Not thread-safe.
final class ReasoningBound {
    private final int max;
    private final TurnVocabulary vocabulary;
    private final TurnReader reader;
    private final Utf8Stream characters = new Utf8Stream(false);
    private int used;

    /// What ends the reasoning.
    record End(String text, int[] tokens) {}

    /// @param max tokens of reasoning, at least 1
    ReasoningBound(int max, TurnVocabulary vocabulary, TurnStep turn) {
        this.max = max;
        this.vocabulary = vocabulary;
        reader = new TurnReader(turn, new TurnReader.Listener() {
            @Override
            public void text(Part part, String text) {
                // Only where the reader stands counts.
            }

            @Override
            public void called(FunctionTool tool) {
                // Likewise.
            }
        });
    }

    /// Takes the next token.
    ///
    /// @return what has to come now that the reasoning has had its tokens; null while it may go on
    @Nullable
    End after(int token) {
        boolean before = reader.reasoningEnd() != null;
        byte[] text = vocabulary.text(token);
        reader.accept(characters.append(text, 0, text.length));
        var end = reader.reasoningEnd();
        if (end == null) {
            return null;
        }
        used += before ? 1 : 0;
        return used < max ? null : new End(end, vocabulary.continuation(end));
    }
}
