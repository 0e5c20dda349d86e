package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.Spelling;
import dev.counterpoint.structured.text.TextPattern;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.Map;

/// Tells which names are in which sets.
final class KeyRegexes {
    private final RegexPool pool;
    private final Map<TextPattern, Regex> plain = new IdentityHashMap<>();

    KeyRegexes(RegexPool pool) {
        this.pool = pool;
    }

    boolean contains(KeySet keys, String name) {
        if (keys.except().contains(name)) {
            return false;
        }
        if (keys.pattern() == TextPattern.anything()) {
            return true;
        }
        WorkLimit.spend(1);
        return regex(keys.pattern()).matches(name.getBytes(StandardCharsets.UTF_8));
    }

    Regex regex(TextPattern pattern) {
        return plain.computeIfAbsent(pattern, one -> one.toRegex(pool, Spelling.PLAIN));
    }

    /// What the value of a property must meet by its name and by all rules.
    Goal goal(ObjectShape shape, String name) {
        var goal = java.util.Objects.requireNonNull(shape.named().get(name)).goal();
        for (var rule : shape.rules()) {
            if (contains(rule.keys(), name)) {
                goal = goal.and(rule.goal());
            }
        }
        return goal;
    }
}
