package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Words that may not be told, whatever ending they have and whatever they are part of. Only grows.
final class GuardedWords {
    private static final int KEY = 2;
    private static final int EXACT_MAX = 4;
    private static final int ENDING = 2;
    private static final int LONGER_MAX = 4;
    /// Shorter words would be found across the borders of everyday words.
    private static final int INSIDE_MIN = 5;

    private static final Pattern KOREAN_ENDING =
            Pattern.compile("(?<=[가-힣]{2})(?:입니다|이에요|예요|이다|에게|에서|으로|은|는|이|가|을|를|의|에|로|와|과|도)$");

    private record Guard(String stem, int lengthMax) {}

    private final Map<String, List<Guard>> byBeginning = new HashMap<>();
    private final Map<String, List<String>> insides = new HashMap<>();
    private final Set<String> words = new HashSet<>();

    /// @param folded as [TextWord#folded] has it
    void add(String folded) {
        addForm(folded);
        addForm(KOREAN_ENDING.matcher(folded).replaceFirst(""));
    }

    private void addForm(String folded) {
        if (folded.length() < KEY || !words.add(folded)) {
            return;
        }
        boolean hangul = Character.UnicodeScript.of(folded.charAt(0)) == Character.UnicodeScript.HANGUL;
        int ending = hangul ? 1 : ENDING;
        int exact = hangul ? KEY : EXACT_MAX;
        var stem = folded.substring(0, Math.max(Math.min(exact, folded.length()), folded.length() - ending));
        int longer = folded.length() < EXACT_MAX && !hangul ? 1 : LONGER_MAX;
        byBeginning
                .computeIfAbsent(folded.substring(0, KEY), _ -> new ArrayList<>(1))
                .add(new Guard(stem, folded.length() + longer));
        addInside(folded);
    }

    /// A code in one piece, whatever stands between its characters.
    void addInside(String squeezed) {
        if (squeezed.length() >= INSIDE_MIN) {
            insides.computeIfAbsent(squeezed.substring(0, INSIDE_MIN), _ -> new ArrayList<>(1))
                    .add(squeezed);
        }
    }

    boolean contain(String folded) {
        if (folded.length() < KEY) {
            return false;
        }
        return byBeginning.getOrDefault(folded.substring(0, KEY), List.of()).stream()
                .anyMatch(guard -> folded.startsWith(guard.stem) && folded.length() <= guard.lengthMax);
    }

    /// True if a word of the same letters is guarded; no other ending counts.
    boolean containExactly(String folded) {
        return words.contains(folded);
    }

    /// True if a longer guarded word stands anywhere in the letters of a text.
    boolean occurIn(String squeezed) {
        for (int i = 0; i + INSIDE_MIN <= squeezed.length(); i++) {
            for (var word : insides.getOrDefault(squeezed.substring(i, i + INSIDE_MIN), List.of())) {
                if (squeezed.startsWith(word, i)) {
                    return true;
                }
            }
        }
        return false;
    }
}
