package dev.counterpoint.gateway.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The effort of the model's thinking: the API's seven words for the three that gpt-oss was trained on.
public final class ReasoningEfforts {
    /// No reasoning at all. The model has no word for it and is held to it by a bound of 0 tokens.
    public static final String NONE = "none";

    private static final String DEFAULT = "medium";
    private static final List<String> WORDS = List.of(NONE, "minimal", "low", "medium", "high", "xhigh", "max");

    private ReasoningEfforts() {}

    /// @param param where the word stands
    /// @param word null for the default
    public static String of(String param, @Nullable String word) {
        if (word == null) {
            return DEFAULT;
        }
        RequestRules.oneOf(param, word, WORDS);
        return switch (word) {
            case NONE, "minimal", "low" -> "low";
            case "high", "xhigh", "max" -> "high";
            default -> DEFAULT;
        };
    }
}
