package dev.counterpoint.summarizer.describe;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// How much one thought, or a user's message, tells of each activity and subject.
final class CueScores {
    final int[] activities = new int[Activity.values().length];
    final int[] subjects = new int[Subject.values().length];

    /// The cues of subjects that were found.
    final Map<Subject, Set<String>> subjectCues = new EnumMap<>(Subject.class);

    static CueScores of(String text, SummaryLanguage users) {
        var scores = new CueScores();
        CueIndex.ALL.score(CueText.normal(InlineCode.removed(text)), users, scores);
        return scores;
    }

    void add(Enum<?> value, String cue, int weight) {
        if (value instanceof Subject subject) {
            subjects[subject.ordinal()] += weight;
            subjectCues.computeIfAbsent(subject, _ -> new HashSet<>()).add(cue);
        } else {
            activities[value.ordinal()] += weight;
        }
    }

    /// The first of the greatest values, or 0 where none is positive.
    static int best(int[] scores) {
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return best;
    }
}
