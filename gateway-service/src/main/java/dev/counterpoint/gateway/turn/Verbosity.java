package dev.counterpoint.gateway.turn;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How much the model is to write. It was trained with no such setting, so a wish for less or more is told to it in a
/// sentence of its instructions; `medium` is as it writes by itself.
public final class Verbosity {
    private static final String MEDIUM = "medium";
    private static final String LOW = "low";

    private Verbosity() {}

    /// @param word null passes
    /// @throws dev.counterpoint.openai.json.WireException for a word that there is not
    public static void check(String param, @Nullable String word) {
        Rules.oneOf(param, word, List.of(LOW, MEDIUM, "high"));
    }

    /// What the model is told of a word that passed [#check]; empty for nothing.
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
