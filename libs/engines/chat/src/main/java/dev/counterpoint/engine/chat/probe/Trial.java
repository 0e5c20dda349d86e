package dev.counterpoint.engine.chat.probe;

import java.util.List;

/// What came of trying a model. A question without an answer is left out.
///
/// @param on answers where the request let the model think, in the family's form
/// @param off answers where it was told not to, in the family's form
/// @param plain answers where the request said nothing of thinking
/// @param schema whether an answer kept to a schema that only `response_format` told of
public record Trial(List<TrialAnswer> on, List<TrialAnswer> off, List<TrialAnswer> plain, boolean schema) {
    /// The model was not tried.
    public static final Trial NONE = new Trial(List.of(), List.of(), List.of(), false);

    public Trial {
        on = List.copyOf(on);
        off = List.copyOf(off);
        plain = List.copyOf(plain);
    }
}
