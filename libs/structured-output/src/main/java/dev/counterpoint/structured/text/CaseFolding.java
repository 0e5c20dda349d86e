package dev.counterpoint.structured.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the flag for ignoring case does to a set of characters: Unicode's simple case folding.
final class CaseFolding {
    /// Turkish: their other case is an ASCII letter, but they do not fold to it.
    private static final Characters UNFOLDED = Characters.of(0x130, 0x131);

    private static final List<Characters> CLASSES = classes();

    private CaseFolding() {}

    private static List<Characters> classes() {
        Map<Integer, List<Integer>> byFolded = new HashMap<>();
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            byFolded.computeIfAbsent(folded(codePoint), _ -> new ArrayList<>(1)).add(codePoint);
        }
        return byFolded.values().stream()
                .filter(members -> members.size() > 1)
                .map(members -> Characters.of(
                        members.stream().mapToInt(Integer::intValue).toArray()))
                .toList();
    }

    private static int folded(int codePoint) {
        return UNFOLDED.contains(codePoint) ? codePoint : Character.toLowerCase(Character.toUpperCase(codePoint));
    }

    /// The set with the other cases of its members.
    static Characters close(Characters set) {
        var added = new ArrayList<Integer>();
        for (var one : CLASSES) {
            if (!one.and(set).isEmpty()) {
                int[] bounds = one.bounds();
                for (int i = 0; i < bounds.length; i += 2) {
                    for (int codePoint = bounds[i]; codePoint <= bounds[i + 1]; codePoint++) {
                        added.add(codePoint);
                    }
                }
            }
        }
        return set.or(Characters.of(added.stream().mapToInt(Integer::intValue).toArray()));
    }
}
