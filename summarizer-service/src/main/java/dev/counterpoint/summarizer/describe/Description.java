package dev.counterpoint.summarizer.describe;

import org.jspecify.annotations.Nullable;

/// What a model is doing.
///
/// @param userPhrase a name from the user's message
public record Description(
        Activity activity, Subject subject, @Nullable String userPhrase) {
    /// Whether both have the same activity and subject.
    public boolean sameTopic(Description other) {
        return activity == other.activity && subject == other.subject;
    }

    /// Whether it only says that the model thinks.
    public boolean vague() {
        return activity == Activity.THINKING_THROUGH;
    }
}
