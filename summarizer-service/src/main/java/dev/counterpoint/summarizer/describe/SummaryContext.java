package dev.counterpoint.summarizer.describe;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the descriptions of a response take from the user's latest message, before any reasoning exists.
///
/// @param phrases names that the message has in quotation marks
/// @param topicCues cues in the message; the reasoning likely has them because of its topic
public record SummaryContext(SummaryLanguage language, List<String> phrases, Set<String> topicCues) {
    /// Characters of a message that count.
    private static final int MESSAGE_MAX = 4_000;

    public SummaryContext {
        phrases = List.copyOf(phrases);
        topicCues = Set.copyOf(topicCues);
    }

    public static SummaryContext of(String userMessage) {
        var text = userMessage.substring(0, Math.min(MESSAGE_MAX, userMessage.length()));
        var language = LanguageDetector.of(text);
        return new SummaryContext(
                language, QuotedNames.of(text), CueIndex.of(language).cuesIn(text));
    }

    /// The phrase for the nth change of a description; each is shown once.
    @Nullable
    String phrase(int change) {
        return change < phrases.size() ? phrases.get(change) : null;
    }

    @Override
    public String toString() {
        return "SummaryContext[language=" + language + "]";
    }
}
