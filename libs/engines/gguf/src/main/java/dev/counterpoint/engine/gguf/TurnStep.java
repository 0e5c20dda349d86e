package dev.counterpoint.engine.gguf;

import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a model may write in one turn, step by step. One tree serves three: [TurnTextGrammar] holds the model to it,
/// [TurnReader] takes the text apart by it, and [EarlierSpeech] is written down by it.
/// Immutable.
sealed interface TurnStep {
    /// What a text is.
    enum Part {
        REASONING,
        ANSWER,
        ARGUMENTS
    }

    /// One of these marks comes next; none is the beginning of another. Text that begins with none is what
    /// `otherwise` takes.
    ///
    /// @param otherwise null where one of them has to come
    record Choice(Map<String, TurnStep> marks, @Nullable Rest otherwise) implements TurnStep {
        public Choice {
            marks = new LinkedHashMap<>(marks);
        }
    }

    /// A text up to a mark, which is no part of it.
    record Until(Part part, String mark, TurnStep next) implements TurnStep {}

    /// A text as a JSON string.
    record Quoted(Part part, TurnStep next) implements TurnStep {}

    /// Blanks that are no part of anything.
    record Blanks(TurnStep next) implements TurnStep {}

    /// A call of this function begins.
    record Call(FunctionTool tool, Rest arguments) implements TurnStep {}

    /// All that comes but for the suffix at its end.
    record Rest(Part part, Form form, String suffix) implements TurnStep {}

    /// Nothing more comes.
    record End() implements TurnStep {}

    /// The form of a text.
    sealed interface Form {
        /// Any.
        ///
        /// @param without none of these is in it
        record Text(List<String> without) implements Form {}

        /// JSON.
        ///
        /// @param schema null for any object
        /// @param strict whether all of the schema must hold; else what can be enforced does
        record Value(@Nullable String schema, boolean strict) implements Form {}

        /// Plain text by a grammar.
        record Input(InputGrammar grammar) implements Form {}
    }

    /// A mark that has to come.
    static TurnStep mark(String mark, TurnStep next) {
        return new Choice(Map.of(mark, next), null);
    }
}
