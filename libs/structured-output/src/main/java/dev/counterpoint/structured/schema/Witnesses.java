package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.schema.ObjectShape.Clue;
import dev.counterpoint.structured.schema.ObjectShape.Named;
import dev.counterpoint.structured.schema.ObjectShape.Witness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Settles witnesses: one of which a single clue is left says something of a named property, and one that is there
/// anyway says nothing.
final class Witnesses {
    private final Map<String, Named> named;
    private List<Witness> left;

    private Witnesses(ObjectShape shape) {
        named = new LinkedHashMap<>(shape.named());
        left = shape.witnesses();
    }

    /// The same objects with fewer witnesses.
    static ObjectShape settled(ObjectShape shape) {
        if (shape.witnesses().isEmpty()) {
            return shape;
        }
        var witnesses = new Witnesses(shape);
        while (witnesses.settleSome()) {
            // What is settled may settle others.
        }
        return new ObjectShape(witnesses.named, shape.rules(), witnesses.left, shape.min(), shape.max());
    }

    private boolean settleSome() {
        var open = new ArrayList<Witness>();
        for (var witness : left) {
            if (witness.clues().stream().anyMatch(this::isThere)) {
                continue;
            }
            var clues = witness.clues().stream().filter(this::isPossible).toList();
            if (clues.size() != 1 || !settle(clues.getFirst())) {
                open.add(clues.size() == witness.clues().size() ? witness : new Witness(clues));
            }
        }
        boolean fewer = open.size() < left.size();
        left = open;
        return fewer;
    }

    private boolean isThere(Clue clue) {
        return switch (clue) {
            case Clue.Absent(var name, var _) ->
                named.containsKey(name) && named.get(name).goal().isNever();
            case Clue.Present(var keys, var goal) -> {
                var known = keys.only() == null ? null : named.get(keys.only());
                yield known != null && known.required() && known.goal().and(goal) == known.goal();
            }
        };
    }

    private boolean isPossible(Clue clue) {
        return switch (clue) {
            case Clue.Absent(var name, var _) ->
                !named.containsKey(name) || !named.get(name).required();
            case Clue.Present(var keys, var goal) -> {
                var known = keys.only() == null ? null : named.get(keys.only());
                yield !goal.isNever()
                        && (known == null || !known.goal().and(goal).isNever());
            }
        };
    }

    private boolean settle(Clue clue) {
        return switch (clue) {
            case Clue.Absent(var name, var never) -> {
                named.merge(name, new Named(never, false), Named::and);
                yield true;
            }
            case Clue.Present(var keys, var goal) -> {
                if (keys.only() != null) {
                    named.merge(keys.only(), new Named(goal, true), Named::and);
                }
                yield keys.only() != null;
            }
        };
    }
}
