package dev.counterpoint.gateway.reasoning;

import dev.counterpoint.gateway.config.ReasoningMode;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import java.util.Locale;

/// The words by which a request names a mode.
final class ReasoningModes {
    private static final List<String> WORDS = List.of("none", "summary", "full");

    private ReasoningModes() {}

    /// @param param where the word stands
    /// @throws WireException for another word
    static ReasoningMode named(String param, String word) {
        RequestRules.oneOf(param, word, WORDS);
        return ReasoningMode.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
