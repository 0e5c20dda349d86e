package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Divides the names that no schema lists by what is said of them.
final class KeyClasses {
    private static final int STEP_COST = 50;

    private final KeyRegexes keys;
    private List<KeyClass> classes;

    /// @param goal of the values
    /// @param witnesses for which such a property is a clue
    record KeyClass(TextPattern names, Goal goal, long witnesses) {}

    KeyClasses(KeyRegexes keys, Set<String> listed, Goal any) {
        this.keys = keys;
        var others = TextPattern.not(
                TextPattern.or(listed.stream().map(TextPattern::literal).toList()));
        classes = List.of(new KeyClass(others, any, 0));
    }

    List<KeyClass> classes() {
        return classes;
    }

    /// Values of the names that a pattern matches must meet a goal.
    void restrict(TextPattern pattern, Goal goal) {
        var divided = new ArrayList<KeyClass>();
        for (var one : classes) {
            var inside = one.goal.and(goal);
            if (inside == one.goal) {
                divided.add(one);
                continue;
            }
            if (!inside.isNever()) {
                add(divided, new KeyClass(TextPattern.and(one.names, pattern), inside, one.witnesses));
            }
            if (pattern != TextPattern.anything()) {
                add(divided, new KeyClass(outside(one, pattern), one.goal, one.witnesses));
            }
        }
        classes = divided;
    }

    /// Values of the names that a pattern matches may meet a goal, and are then a clue.
    void distinguish(TextPattern pattern, Goal goal, long witness) {
        var divided = new ArrayList<>(classes);
        for (var one : classes) {
            var inside = one.goal.and(goal);
            if (!inside.isNever()) {
                add(divided, new KeyClass(TextPattern.and(one.names, pattern), inside, one.witnesses | witness));
            }
        }
        classes = divided;
    }

    private static TextPattern outside(KeyClass one, TextPattern pattern) {
        return TextPattern.and(one.names, TextPattern.not(pattern));
    }

    private void add(List<KeyClass> list, KeyClass added) {
        WorkLimit.spend(STEP_COST);
        if (!keys.regex(added.names).isEmpty()) {
            list.add(added);
        }
    }
}
