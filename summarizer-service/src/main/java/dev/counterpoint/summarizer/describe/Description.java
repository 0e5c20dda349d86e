package dev.counterpoint.summarizer.describe;

import org.jspecify.annotations.Nullable;

/// What a model is doing.
///
/// @param tool a display name that the developer gave for showing
/// @param userPhrase a phrase of the user's own message, chosen without a look at the reasoning
public record Description(
        Activity activity,
        Subject subject,
        Phase phase,
        @Nullable String tool,
        @Nullable String userPhrase) {
    /// Whether it says no more than that the model thinks.
    public boolean vague() {
        return activity == Activity.THINKING_THROUGH;
    }
}
