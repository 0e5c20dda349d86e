package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The cues of activities in one language and in English, because a model may reason in English for any user.
final class CueIndex {
    /// Characters of a cue; the index compares so many at each place of a text.
    private static final int CUE_MAX = 40;

    private static final Map<SummaryLanguage, CueIndex> ALL = new ConcurrentHashMap<>();

    private final Map<String, List<Effect>> effects = new HashMap<>();

    private record Effect(Cue cue, Activity activity) {}

    private CueIndex(SummaryLanguage language) {
        add(LanguageFile.common(), false);
        add(LanguageFile.of(SummaryLanguage.EN), false);
        if (language != SummaryLanguage.EN) {
            add(LanguageFile.of(language), true);
        }
    }

    static CueIndex of(SummaryLanguage language) {
        return ALL.computeIfAbsent(language, CueIndex::new);
    }

    private void add(LanguageFile file, boolean inflected) {
        file.cues()
                .forEach((activity, cues) -> cues.forEach(written -> {
                    var cue = Cue.of(written, inflected);
                    if (cue.text().isEmpty() || cue.text().length() > CUE_MAX) {
                        throw new IllegalStateException("not a cue: " + written);
                    }
                    effects.computeIfAbsent(cue.text(), _ -> new ArrayList<>()).add(new Effect(cue, activity));
                }));
    }

    /// The weight of each activity's cues, by its ordinal. A cue counts once.
    ///
    /// @param ignored cues that do not count
    int[] weights(String text, Set<String> ignored) {
        var found = new HashMap<Effect, Integer>();
        for (var effect : effectsIn(CueText.normal(text))) {
            if (!ignored.contains(effect.cue.text())) {
                found.put(effect, effect.cue.weight());
            }
        }
        var weights = new int[Activity.values().length];
        found.forEach((effect, weight) -> weights[effect.activity.ordinal()] += weight);
        return weights;
    }

    Set<String> cuesIn(String text) {
        var cues = new HashSet<String>();
        effectsIn(CueText.normal(text)).forEach(effect -> cues.add(effect.cue.text()));
        return cues;
    }

    private List<Effect> effectsIn(String normal) {
        var found = new ArrayList<Effect>();
        for (int start = 1; start < normal.length(); start++) {
            if (begins(normal, start)) {
                var longest = longest(normal, start);
                found.addAll(longest == null ? List.of() : longest);
            }
        }
        return found;
    }

    /// Of the cues at a place the longest wins: "not clear" is not "clear".
    private @Nullable List<Effect> longest(String text, int start) {
        for (int end = Math.min(text.length() - 1, start + CUE_MAX); end > start; end--) {
            var found = effects.get(text.substring(start, end));
            if (found != null) {
                boolean whole = text.charAt(end) == ' ';
                var fitting = found.stream()
                        .filter(effect -> whole || effect.cue.prefix())
                        .toList();
                if (!fitting.isEmpty()) {
                    return fitting;
                }
            }
        }
        return null;
    }

    /// Whether a character of a text is part of a cue; for tests.
    boolean[] covered(String normal) {
        var covered = new boolean[normal.length()];
        for (int start = 1; start < normal.length(); start++) {
            var found = begins(normal, start) ? longest(normal, start) : null;
            if (found != null) {
                Arrays.fill(covered, start, start + found.getFirst().cue.text().length(), true);
            }
        }
        return covered;
    }

    private static boolean begins(String text, int at) {
        return text.charAt(at) != ' ' && (text.charAt(at - 1) == ' ' || CueText.unspaced(text.charAt(at)));
    }
}
