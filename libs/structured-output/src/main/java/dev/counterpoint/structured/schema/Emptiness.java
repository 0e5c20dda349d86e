package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Proves that no value has a shape. It does not look far: what it does not prove may be empty all the same.
final class Emptiness {
    private static final int DEPTH_MAX = 2;

    private final GoalExpansion expansion;
    private final ScalarTerminals scalars;
    private final KeyRegexes keys;
    /// What was found out about goals, by the depth at which it was.
    private final List<Map<Goal, Boolean>> results = new ArrayList<>();

    private int depth;

    Emptiness(GoalExpansion expansion, ScalarTerminals scalars) {
        this.expansion = expansion;
        this.scalars = scalars;
        keys = new KeyRegexes(scalars);
        for (int i = 0; i < DEPTH_MAX; i++) {
            results.add(new HashMap<>());
        }
    }

    boolean isEmpty(ValueShape shape) {
        WorkLimit.spend(2);
        if (shape.isPlainlyEmpty()) {
            return true;
        }
        return switch (shape) {
            case NullShape _, BooleanShape _ -> false;
            case NumberShape number -> isRestricted(number) && scalars.isEmpty(scalars.regex(number));
            case StringShape string -> isRestricted(string) && scalars.isEmpty(scalars.regex(string));
            case ArrayShape array -> isEmpty(array);
            case ObjectShape object -> isEmpty(object);
        };
    }

    private static boolean isRestricted(NumberShape shape) {
        return shape.values() == null && !shape.range().isUnbounded();
    }

    private static boolean isRestricted(StringShape shape) {
        return shape.pattern() != TextPattern.anything() || shape.values() != null && shape.lengthMin() > 0;
    }

    private boolean isEmpty(ArrayShape shape) {
        for (int i = 0; i < Math.min(shape.min(), shape.prefix().size() + 1); i++) {
            if (isEmpty(shape.goal(i))) {
                return true;
            }
        }
        return false;
    }

    private boolean isEmpty(ObjectShape given) {
        var shape = Witnesses.settled(given);
        if (shape.isPlainlyEmpty()) {
            return true;
        }
        for (var one : shape.named().entrySet()) {
            if (one.getValue().required() && isEmpty(keys.goal(shape, one.getKey()))) {
                return true;
            }
        }
        return false;
    }

    private boolean isEmpty(Goal goal) {
        if (goal.isNever() || goal.isAny() || depth == DEPTH_MAX) {
            return goal.isNever();
        }
        var known = results.get(depth).get(goal);
        if (known == null) {
            known = findOut(goal);
            results.get(depth).put(goal, known);
        }
        return known;
    }

    private boolean findOut(Goal goal) {
        depth++;
        try {
            for (var type : JsonType.values()) {
                if (!expansion.roughShapes(goal, type).stream().allMatch(this::isEmpty)) {
                    return false;
                }
            }
            return true;
        } finally {
            depth--;
        }
    }
}
