package dev.counterpoint.summarizer.describe;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the descriptions of a response take from its request, before any reasoning is there.
///
/// @param language of the user's latest message
/// @param phrases short phrases of that message, the most telling first
/// @param subject what that message is about
/// @param subjectCues the words of that message that speak for subjects
/// @param topicCues words of that message that speak for other activities than `work`; the reasoning likely has them
/// because of what it is about
/// @param work what that message asks for; null where it does not tell
/// @param toolDisplayNames names for showing, by the names that the model calls
public record SummaryContext(
        SummaryLanguage language,
        List<String> phrases,
        Subject subject,
        Map<Subject, Set<String>> subjectCues,
        Set<String> topicCues,
        @Nullable Activity work,
        Map<String, String> toolDisplayNames) {
    /// The score of a message's subject that can be taken for it.
    private static final int SUBJECT_MIN = 2;
    /// Characters of a message that are looked at.
    private static final int MESSAGE_MAX = 4_000;
    /// Characters of a tool's name for showing.
    private static final int TOOL_MAX = 60;

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]*");
    private static final Pattern UNSAFE = Pattern.compile("[^\\p{L}\\p{M}\\p{N} .,'’&()+-]+");

    public SummaryContext {
        phrases = List.copyOf(phrases);
        subjectCues = Map.copyOf(subjectCues);
        topicCues = Set.copyOf(topicCues);
        toolDisplayNames = Map.copyOf(toolDisplayNames);
    }

    /// @param userMessage the latest message of the user's
    /// @param toolDisplayNames names that the developer gave for showing, by the names that the model calls
    public static SummaryContext of(String userMessage, Map<String, String> toolDisplayNames) {
        var text = userMessage.substring(0, Math.min(MESSAGE_MAX, userMessage.length()));
        var language = LanguageDetector.of(text);
        var scores = CueScores.of(text, language);
        int best = CueScores.best(scores.subjects);
        var subject = scores.subjects[best] < SUBJECT_MIN ? Subject.GENERAL : Subject.values()[best];
        var names = new HashMap<String, String>();
        toolDisplayNames.forEach((name, shown) -> {
            var clean = UNSAFE.matcher(shown).replaceAll(" ").strip();
            if (!clean.isEmpty()) {
                names.put(
                        name,
                        clean.substring(0, Math.min(TOOL_MAX, clean.length())).strip());
            }
        });
        var work = RequestedWork.of(text, language);
        var topicCues = new HashSet<String>();
        scores.activityCues.forEach((activity, cues) -> topicCues.addAll(activity == work ? Set.of() : cues));
        return new SummaryContext(
                language, UserPhrases.of(text, language), subject, scores.subjectCues, topicCues, work, names);
    }

    /// The phrase for the nth change of what is described; each is shown once.
    @Nullable
    String phrase(int change) {
        return change < phrases.size() ? phrases.get(change) : null;
    }

    /// The name for showing of the first tool that a thought calls by name.
    @Nullable
    String toolNamedIn(String thought) {
        if (toolDisplayNames.isEmpty()) {
            return null;
        }
        var names = NAME.matcher(thought);
        while (names.find()) {
            var shown = toolDisplayNames.get(names.group());
            if (shown != null) {
                return shown;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return "SummaryContext[language=" + language + ", subject=" + subject + "]";
    }
}
