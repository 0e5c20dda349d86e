package dev.counterpoint.gateway.request;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The length of the model's answer. The model was trained with no such setting, so a wish is told to it in a
/// sentence of its instructions; `medium` is as it writes by itself.
public final class Verbosity {
    private static final String MEDIUM = "medium";
    private static final String LOW = "low";

    public static final List<String> WORDS = List.of(LOW, MEDIUM, "high");

    private Verbosity() {}

    /// The sentence that the model is told for a word of [#WORDS]; empty for none.
    public static Optional<String> instruction(@Nullable String word) {
        if (word == null || word.equals(MEDIUM)) {
            return Optional.empty();
        }
        return Optional.of(
                word.equals(LOW)
                        ? "Verbosity: low. Keep the answer as short as it can be without leaving out what matters."
                        : "Verbosity: high. Answer thoroughly, with explanations and details.");
    }
}
