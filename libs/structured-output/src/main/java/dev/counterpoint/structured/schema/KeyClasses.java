package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Divides the names that no schema lists by what is said of them.
final class KeyClasses {
    private static final int STEP_COST = 50;

    private final ScalarTerminals scalars;
    private final Collection<String> listed;
    private List<KeyClass> classes;

    /// A class of names.
    ///
    /// @param names all that match and are not listed
    /// @param goal of the values
    /// @param witnesses for which such a property is a clue
    record KeyClass(TextPattern names, Goal goal, long witnesses) {}

    KeyClasses(ScalarTerminals scalars, Collection<String> listed, Goal any) {
        this.scalars = scalars;
        this.listed = listed;
        classes = List.of(new KeyClass(TextPattern.anything(), any, 0));
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
        if (added.names == TextPattern.anything() || !scalars.isEmpty(scalars.quotedExcept(added.names, listed))) {
            list.add(added);
        }
    }

    /// The quoted names of a class.
    Regex regex(KeyClass one) {
        return scalars.quotedExcept(one.names, listed);
    }
}
