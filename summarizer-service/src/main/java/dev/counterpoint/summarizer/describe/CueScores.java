package dev.counterpoint.summarizer.describe;

/// How much one thought, or a user's message, tells of each activity and subject.
final class CueScores {
    final int[] activities = new int[Activity.values().length];
    final int[] subjects = new int[Subject.values().length];

    static CueScores of(String text, SummaryLanguage users) {
        var scores = new CueScores();
        CueIndex.ALL.score(CueText.normal(text), users, scores);
        return scores;
    }

    void add(Enum<?> value, int weight) {
        var target = value instanceof Activity ? activities : subjects;
        target[value.ordinal()] += weight;
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
