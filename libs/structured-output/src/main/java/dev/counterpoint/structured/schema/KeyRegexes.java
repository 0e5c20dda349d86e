package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.TextPattern;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Tells which names are in which sets.
final class KeyRegexes {
    private final ScalarTerminals scalars;

    KeyRegexes(ScalarTerminals scalars) {
        this.scalars = scalars;
    }

    boolean contains(KeySet keys, String name) {
        if (keys.only() != null || keys.except().contains(name)) {
            return name.equals(keys.only());
        }
        if (keys.pattern() == TextPattern.anything()) {
            return true;
        }
        WorkLimit.spend(1);
        return scalars.plain(keys.pattern()).matches(name.getBytes(StandardCharsets.UTF_8));
    }

    /// What the value of a property must meet by its name and by all rules.
    Goal goal(ObjectShape shape, String name) {
        var goal = Objects.requireNonNull(shape.named().get(name)).goal();
        for (var rule : shape.rules()) {
            if (rule.goal() != goal && contains(rule.keys(), name)) {
                goal = goal.and(rule.goal());
            }
        }
        return goal;
    }
}
