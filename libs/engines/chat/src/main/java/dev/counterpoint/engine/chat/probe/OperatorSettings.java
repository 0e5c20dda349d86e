package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.MarkPair;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The operator's settings for a model, which take precedence over facts of its servers and its family.
///
/// @param family named by the operator; null leaves it to template and name
/// @param marks around reasoning, looked for beside all that are known; empty for none
/// @param takes the request members that its server takes
public record OperatorSettings(@Nullable KnownFamily family, List<MarkPair> marks, Takes takes) {
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
            Optional<Boolean> images) {}

    /// Nothing is set.
    public static final OperatorSettings NONE = new OperatorSettings(
            null, List.of(), new Takes(Optional.empty(), false, Optional.empty(), Optional.empty()));

    public OperatorSettings {
        marks = List.copyOf(marks);
    }
}
