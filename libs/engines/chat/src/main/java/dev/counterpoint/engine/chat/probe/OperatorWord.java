package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the operator says of the model, which beats what is found out.
///
/// @param family named by the operator; null leaves it to template and name
/// @param marks around reasoning, looked for beside all that are known; empty for none
/// @param unmarked what text is that no mark tells apart; null leaves it to family and trial
/// @param strategies as the operator wrote them, for people; empty for none
/// @param schemas whether the server takes schemas; empty leaves it to the trial
public record OperatorWord(
        @Nullable KnownFamily family,
        List<MarkPair> marks,
        @Nullable Unmarked unmarked,
        String strategies,
        Optional<Boolean> schemas) {
    /// The operator leaves all of it to the worker.
    public static final OperatorWord NONE = new OperatorWord(null, List.of(), null, "", Optional.empty());

    public OperatorWord {
        marks = List.copyOf(marks);
    }

    /// The same where the operator names strategies.
    ///
    /// @param told what they make of text that no mark tells apart
    /// @param names for people
    public OperatorWord withStrategies(Unmarked told, String names) {
        return new OperatorWord(family, marks, told, names, schemas);
    }

    /// The same where the operator says whether the server takes schemas.
    public OperatorWord withSchemas(boolean taken) {
        return new OperatorWord(family, marks, unmarked, strategies, Optional.of(taken));
    }
}
