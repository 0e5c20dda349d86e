package dev.counterpoint.structured.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the shapes that values of a goal may have.
final class GoalExpansion {
    private final Emptiness emptiness;
    private final SchemaReader reader;
    private final Map<Key, List<ValueShape>> exact = new HashMap<>();
    private final Map<Key, List<ValueShape>> rough = new HashMap<>();

    private record Key(Goal goal, JsonType type) {}

    GoalExpansion(SchemaScope context, ScalarTerminals scalars) {
        emptiness = new Emptiness(this, scalars);
        reader = new SchemaReader(context, emptiness);
    }

    /// A value of the type that meets the goal has one of these shapes, and all values of these shapes meet it.
    List<ValueShape> shapes(Goal goal, JsonType type) {
        return found(exact, new Key(goal, type), emptiness);
    }

    /// The same, but values of these shapes need not meet the goal.
    List<ValueShape> roughShapes(Goal goal, JsonType type) {
        return found(rough, new Key(goal, type), null);
    }

    private List<ValueShape> found(Map<Key, List<ValueShape>> known, Key key, @Nullable Emptiness contradictions) {
        var shapes = known.get(key);
        if (shapes == null) {
            var formula = reader.read(key.goal, key.type);
            shapes = Disjuncts.of(formula, reader.any(key.type), contradictions).stream()
                    .map(Formula.Fact::shape)
                    .toList();
            known.put(key, shapes);
        }
        return shapes;
    }
}
