package dev.counterpoint.validator;

import java.util.Locale;

/// Which sort of rule a violation is about.
public enum ValidationRule {
    /// How events lie in the byte stream: `event:`, `data:`, `[DONE]`.
    FRAMING,
    /// What members an event has, and of which types.
    SCHEMA,
    /// The numbering of the events.
    SEQUENCE,
    /// What may come when.
    ORDER,
    /// Ids, indexes and other members that stay the same.
    IDENTITY,
    /// What belongs to which kind of item or part.
    KIND,
    /// The pieces and the whole that they make.
    WHOLE,
    /// Raw reasoning where only sealed reasoning may stand.
    SEALED,
    /// How the stream ends.
    ENDING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
