package dev.counterpoint.summarizer.describe;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a model is doing.
///
/// @param tool a display name that the developer gave for showing
/// @param userPhrase a phrase of the user's own message, chosen without a look at the reasoning
public record Description(
        Activity activity,
        Subject subject,
        @Nullable String tool,
        @Nullable String userPhrase) {
    /// The same of a phrase of the user's; of none where it is null.
    Description concerning(@Nullable String phrase) {
        return new Description(activity, subject, tool, phrase);
    }

    /// Whether both tell of the same activity, subject and tool, whatever phrase they name.
    public boolean sameTopic(Description other) {
        return activity == other.activity && subject == other.subject && Objects.equals(tool, other.tool);
    }

    /// Whether it says no more than that the model thinks.
    public boolean vague() {
        return activity == Activity.THINKING_THROUGH;
    }
}
