package dev.counterpoint.structured.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the shapes that values of a goal may have.
final class Expansion {
    private final Emptiness emptiness;
    private final SchemaReader reader;
    private final Map<Key, List<Shape>> exact = new HashMap<>();
    private final Map<Key, List<Shape>> rough = new HashMap<>();

    private record Key(Goal goal, JsonType type) {}

    Expansion(SchemaContext context, ScalarTerminals scalars) {
        emptiness = new Emptiness(this, scalars);
        reader = new SchemaReader(context, emptiness);
    }

    /// A value of the type that meets the goal has one of these shapes, and all values of these shapes meet it.
    List<Shape> shapes(Goal goal, JsonType type) {
        return found(exact, new Key(goal, type), emptiness);
    }

    /// The same, but values of these shapes need not meet the goal.
    List<Shape> roughShapes(Goal goal, JsonType type) {
        return found(rough, new Key(goal, type), null);
    }

    private List<Shape> found(Map<Key, List<Shape>> known, Key key, @Nullable Emptiness contradictions) {
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
