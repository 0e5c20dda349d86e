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

    /// The cues of activities that were found.
    final Map<Activity, Set<String>> activityCues = new EnumMap<>(Activity.class);

    private final Set<String> ignored;

    private CueScores(Set<String> ignored) {
        this.ignored = ignored;
    }

    static CueScores of(String text, SummaryLanguage users) {
        return of(text, users, Set.of());
    }

    /// @param ignored cues of activities that count nothing
    static CueScores of(String text, SummaryLanguage users, Set<String> ignored) {
        var scores = new CueScores(ignored);
        CueIndex.ALL.score(CueText.normal(InlineCode.removed(text)), users, scores);
        return scores;
    }

    void add(Enum<?> value, String cue, int weight) {
        if (value instanceof Subject subject) {
            subjects[subject.ordinal()] += weight;
            subjectCues.computeIfAbsent(subject, _ -> new HashSet<>()).add(cue);
        } else if (value instanceof Activity activity && !ignored.contains(cue)) {
            activities[activity.ordinal()] += weight;
            activityCues.computeIfAbsent(activity, _ -> new HashSet<>()).add(cue);
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
