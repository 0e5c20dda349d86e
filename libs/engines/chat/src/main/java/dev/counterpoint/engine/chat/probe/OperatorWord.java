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
/// @param takes what its server takes
public record OperatorWord(
        @Nullable KnownFamily family,
        List<MarkPair> marks,
        @Nullable Unmarked unmarked,
        String strategies,
        Takes takes) {
    /// What a server takes of a request.
    ///
    /// @param schemas whether it takes schemas; empty leaves it to the trial
    /// @param schemasBesideTools whether it takes them in requests with tools, too
    /// @param efforts whether it takes `reasoning_effort`; empty leaves it to the family
    /// @param images whether the model takes images; empty leaves it to what the server says
    public record Takes(
            Optional<Boolean> schemas,
            boolean schemasBesideTools,
            Optional<Boolean> efforts,
            Optional<Boolean> images) {
        /// The operator leaves it to family and trial.
        public static final Takes UNSAID = new Takes(Optional.empty(), false, Optional.empty(), Optional.empty());
    }

    /// The operator leaves all of it to the worker.
    public static final OperatorWord NONE = new OperatorWord(null, List.of(), null, "", Takes.UNSAID);

    public OperatorWord {
        marks = List.copyOf(marks);
    }

    /// The same where the operator names strategies.
    ///
    /// @param told what they make of text that no mark tells apart
    /// @param names for people
    public OperatorWord withStrategies(Unmarked told, String names) {
        return new OperatorWord(family, marks, told, names, takes);
    }

    /// The same where the operator says whether the server takes schemas.
    public OperatorWord withSchemas(boolean taken) {
        var other = new Takes(Optional.of(taken), takes.schemasBesideTools, takes.efforts, takes.images);
        return new OperatorWord(family, marks, unmarked, strategies, other);
    }
}
