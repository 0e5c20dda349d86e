package dev.counterpoint.structured.schema;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the shapes that values of a goal may have.
final class Expansion {
    private final SchemaReader reader;
    private final Map<Goal, Map<JsonType, List<Shape>>> known = new HashMap<>();
    private final Set<Goal> inProgress = new HashSet<>();

    Expansion(SchemaContext context, ScalarTerminals scalars) {
        reader = new SchemaReader(context, new Emptiness(this, scalars));
    }

    /// A value of the type that meets the goal has one of these shapes, and all values of these shapes meet it.
    List<Shape> shapes(Goal goal, JsonType type) {
        var byType = known.computeIfAbsent(goal, _ -> new EnumMap<>(JsonType.class));
        var shapes = byType.get(type);
        if (shapes == null) {
            boolean outermost = inProgress.add(goal);
            var formula = reader.read(goal, type);
            shapes = Disjuncts.of(formula, reader.any(type)).stream()
                    .map(Formula.Fact::shape)
                    .toList();
            byType.put(type, shapes);
            if (outermost) {
                inProgress.remove(goal);
            }
        }
        return shapes;
    }

    /// Null while the goal is being expanded.
    @Nullable List<Shape> shapesUnlessInProgress(Goal goal, JsonType type) {
        return inProgress.contains(goal) ? null : shapes(goal, type);
    }
}
