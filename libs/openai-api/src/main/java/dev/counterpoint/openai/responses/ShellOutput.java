package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// What one command of a shell call put out.
///
/// @param createdBy the entity that made the item; absent in what callers send
public record ShellOutput(
        String stdout,
        String stderr,
        ShellOutcome outcome,
        @Nullable String createdBy,
        Others others) {
    /// What is new on either of the two; null means nothing new.
    public record Delta(@Nullable String stdout, @Nullable String stderr) {}
}
