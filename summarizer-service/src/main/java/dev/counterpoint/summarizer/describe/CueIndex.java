package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All cues of all languages, because a model may reason in another language than its user's.
final class CueIndex {
    static final CueIndex ALL = new CueIndex();

    /// Characters of a cue; each place of a text is looked at so far.
    private static final int CUE_MAX = 40;

    private final Map<String, List<Effect>> effects = new HashMap<>();

    /// What a cue tells: an activity or a subject.
    ///
    /// @param language of the cue; `null` for one of no language
    private record Effect(Cue cue, Enum<?> value, @Nullable SummaryLanguage language) {
        /// A word of a third language is often another word of the reasoning's.
        boolean counts(SummaryLanguage users) {
            return language == null || language == SummaryLanguage.EN || language == users;
        }
    }

    private CueIndex() {
        add(LanguageFile.common(), null);
        for (var language : SummaryLanguage.values()) {
            add(LanguageFile.of(language), language);
        }
    }

    private void add(LanguageFile file, @Nullable SummaryLanguage language) {
        boolean inflected = language != null && language != SummaryLanguage.EN;
        file.activityCues()
                .forEach((activity, cues) ->
                        cues.forEach(cue -> add(new Effect(Cue.of(cue, inflected), activity, language))));
        file.subjectCues()
                .forEach((subject, cues) ->
                        cues.forEach(cue -> add(new Effect(Cue.of(cue, inflected), subject, language))));
    }

    private void add(Effect effect) {
        var cue = effect.cue();
        if (cue.text().isEmpty() || cue.text().length() > CUE_MAX) {
            throw new IllegalStateException("not a cue: " + effect);
        }
        effects.computeIfAbsent(cue.text(), _ -> new ArrayList<>()).add(effect);
    }

    /// Adds the weights of what a thought tells. What is said twice counts once.
    ///
    /// @param text as [CueText] has it
    /// @param users the language of the user's message
    void score(String text, SummaryLanguage users, CueScores scores) {
        var told = new HashMap<Told, Integer>();
        for (int start = 1; start < text.length(); start++) {
            if (begins(text, start)) {
                for (var effect : longest(text, start, users)) {
                    told.merge(new Told(effect.cue.text(), effect.value), effect.cue.weight(), Math::max);
                }
            }
        }
        told.forEach((what, weight) -> scores.add(what.value, what.cue, weight));
    }

    /// A word that several languages share is one cue.
    private record Told(String cue, Enum<?> value) {}

    /// Of the cues at a place that count the longest wins: "not clear" is not "clear".
    private List<Effect> longest(String text, int start, SummaryLanguage users) {
        int max = Math.min(text.length() - 1, start + CUE_MAX);
        for (int end = max; end > start; end--) {
            var found = effects.get(text.substring(start, end));
            if (found != null) {
                boolean whole = text.charAt(end) == ' ';
                var fitting = found.stream()
                        .filter(effect -> effect.counts(users) && (whole || effect.cue.prefix()))
                        .toList();
                if (!fitting.isEmpty()) {
                    return fitting;
                }
            }
        }
        return List.of();
    }

    /// Whether a word of a text is part of a cue there; for tests.
    boolean[] covered(String text, SummaryLanguage users) {
        var covered = new boolean[text.length()];
        for (int start = 1; start < text.length(); start++) {
            var found = begins(text, start) ? longest(text, start, users) : List.<Effect>of();
            if (!found.isEmpty()) {
                int end = start + found.getFirst().cue.text().length();
                Arrays.fill(covered, start, end, true);
            }
        }
        return covered;
    }

    private static boolean begins(String text, int at) {
        return text.charAt(at) != ' ' && (text.charAt(at - 1) == ' ' || CueText.unspaced(text.charAt(at)));
    }
}
