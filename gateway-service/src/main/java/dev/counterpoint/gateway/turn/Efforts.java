package dev.counterpoint.gateway.turn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How hard the model is to think: the API's seven words for the three that gpt-oss was trained on.
public final class Efforts {
    private static final String DEFAULT = "medium";
    private static final List<String> WORDS = List.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

    private Efforts() {}

    /// @param param where the word stands
    /// @param word null for the default; `none` still thinks a little, because the model cannot do otherwise
    public static String of(String param, @Nullable String word) {
        if (word == null) {
            return DEFAULT;
        }
        Rules.oneOf(param, word, WORDS);
        return switch (word) {
            case "none", "minimal", "low" -> "low";
            case "high", "xhigh", "max" -> "high";
            default -> DEFAULT;
        };
    }
}
