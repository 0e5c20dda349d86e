package dev.counterpoint.summarizer.describe;

import java.util.List;
import java.util.Map;

/// What the descriptions of a response take from its request, before any reasoning is there.
///
/// @param language of the user's latest message
/// @param phrases short phrases of that message, the most telling first
/// @param subject what that message is about
/// @param toolDisplayNames names for showing, by the names that the model calls
public record SummaryContext(
        SummaryLanguage language, List<String> phrases, Subject subject, Map<String, String> toolDisplayNames) {
    public SummaryContext {
        phrases = List.copyOf(phrases);
        toolDisplayNames = Map.copyOf(toolDisplayNames);
    }

    public static SummaryContext of(String userMessage, Map<String, String> toolDisplayNames) {
        return new SummaryContext(SummaryLanguage.EN, List.of(), Subject.GENERAL, toolDisplayNames);
    }

    @Override
    public String toString() {
        return "SummaryContext[language=" + language + ", subject=" + subject + "]";
    }
}
