package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.TextRule.Unmarked;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The operator's settings for a model, which take precedence over facts of its servers and its family.
///
/// @param family named by the operator; null leaves it to template and name
/// @param marks around reasoning, looked for beside all that are known; empty for none
/// @param unmarked the meaning of text without marks; null leaves it to the family
/// @param strategies as the operator wrote them, for people; empty for none
/// @param takes the request members that its server takes
public record OperatorSettings(
        @Nullable KnownFamily family,
        List<MarkPair> marks,
        @Nullable Unmarked unmarked,
        String strategies,
        Takes takes) {
    /// The request members that a server takes.
    ///
    /// @param schemas whether it enforces schemas; empty leaves it to the kind of server
    /// @param schemasBesideTools whether it takes them in requests with tools, too
    /// @param efforts whether it takes `reasoning_effort`; empty leaves it to the family
    /// @param images whether the model takes images; empty leaves it to the server's own statement
    public record Takes(
            Optional<Boolean> schemas,
            boolean schemasBesideTools,
            Optional<Boolean> efforts,
            Optional<Boolean> images) {
        /// Nothing is set.
        public static final Takes UNSET = new Takes(Optional.empty(), false, Optional.empty(), Optional.empty());
    }

    /// Nothing is set.
    public static final OperatorSettings NONE = new OperatorSettings(null, List.of(), null, "", Takes.UNSET);

    public OperatorSettings {
        marks = List.copyOf(marks);
    }

    /// The same where the operator names strategies.
    ///
    /// @param meaning of text without marks under these strategies
    /// @param names for people
    public OperatorSettings withStrategies(Unmarked meaning, String names) {
        return new OperatorSettings(family, marks, meaning, names, takes);
    }

    /// The same where the operator sets whether the server enforces schemas.
    public OperatorSettings withSchemas(boolean taken) {
        var other = new Takes(Optional.of(taken), takes.schemasBesideTools, takes.efforts, takes.images);
        return new OperatorSettings(family, marks, unmarked, strategies, other);
    }
}
