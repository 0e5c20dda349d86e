package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.schema.ObjectShape.Clue;
import dev.counterpoint.structured.schema.ObjectShape.Named;
import dev.counterpoint.structured.schema.ObjectShape.Rule;
import dev.counterpoint.structured.text.TextPattern;
import dev.counterpoint.structured.text.UnsupportedPatternException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the keywords about objects, except for those that apply further schemas to the same object.
final class ObjectReader {
    private final SchemaScope context;
    private final ScalarReader scalars;
    private final Goals goals;

    ObjectReader(SchemaScope context, ScalarReader scalars) {
        this.context = context;
        this.scalars = scalars;
        goals = context.goals;
    }

    /// The formula of the keyword, or null if it has none.
    @Nullable
    Formula read(Place place, String keyword, boolean holds) {
        return switch (keyword) {
            case "properties" -> properties(place, holds);
            case "patternProperties" -> patternProperties(place, holds);
            case "additionalProperties" -> additionalProperties(place, holds);
            case "required" -> required(SchemaScope.strings(place, keyword, place.get(keyword)), holds);
            case "dependentRequired" -> dependentRequired(place, holds);
            case "minProperties" -> size(SchemaScope.count(place, keyword), ObjectShape.UNBOUNDED, holds);
            case "maxProperties" -> size(0, SchemaScope.count(place, keyword), holds);
            default -> null;
        };
    }

    private Formula properties(Place place, boolean holds) {
        var named = new LinkedHashMap<String, Named>();
        var clues = new ArrayList<Clue>();
        for (var field : SchemaScope.object(place, "properties").properties()) {
            WorkLimit.spend(1);
            var schema = place.child("properties", field.getKey());
            named.put(field.getKey(), new Named(context.fits(schema, true), false));
            clues.add(new Clue.Present(KeySet.of(field.getKey()), context.fits(schema, false)));
        }
        return holds ? new Fact(ObjectShape.of(named), Marks.ofNames(named.keySet())) : witness(clues);
    }

    private static Formula witness(List<Clue> clues) {
        var possible = clues.stream()
                .filter(clue ->
                        !(clue instanceof Clue.Present some && some.goal().isNever()))
                .toList();
        return possible.isEmpty() ? Formula.FALSE : new Fact(ObjectShape.of(possible));
    }

    private Formula patternProperties(Place place, boolean holds) {
        var rules = new ArrayList<Formula>();
        var clues = new ArrayList<Clue>();
        for (var field : SchemaScope.object(place, "patternProperties").properties()) {
            var pattern = key(place, field.getKey());
            var schema = place.child("patternProperties", field.getKey());
            if (pattern != null) {
                var keys = KeySet.of(pattern);
                var rule = new Rule(keys, context.fits(schema, true));
                rules.add(new Fact(ObjectShape.of(rule), Marks.ofKeys(List.of(pattern))));
                clues.add(new Clue.Present(keys, context.fits(schema, false)));
            }
        }
        return holds ? Formula.all(rules) : witness(clues);
    }

    /// Null where leniency passes over a pattern.
    private @Nullable TextPattern key(Place place, String source) {
        try {
            return scalars.parsed(source);
        } catch (UnsupportedPatternException e) {
            context.unsupported(place, "patternProperties", "cannot be enforced: " + e.getMessage());
            return null;
        }
    }

    private Formula additionalProperties(Place place, boolean holds) {
        var schema = place.child("additionalProperties");
        var keys = others(place);
        if (keys == null) {
            return Formula.TRUE;
        }
        if (!holds) {
            return witness(List.of(new Clue.Present(keys, context.fits(schema, false))));
        }
        var goal = context.fits(schema, true);
        return new Fact(goal.isAny() ? ObjectShape.ANY : ObjectShape.of(new Rule(keys, goal)), Marks.ALL);
    }

    /// No more properties than those listed, where the options want it so.
    Formula closed(Place place) {
        var keys = others(place);
        return keys == null ? Formula.TRUE : new Fact(ObjectShape.of(new Rule(keys, goals.never())), Marks.ALL);
    }

    /// The names that neither `properties` nor `patternProperties` speaks of, or null when leniency does not know.
    private @Nullable KeySet others(Place place) {
        Set<String> names = new HashSet<>();
        place.node().path("properties").fieldNames().forEachRemaining(names::add);
        var patterns = new ArrayList<TextPattern>();
        for (var field : place.node().path("patternProperties").properties()) {
            var pattern = key(place, field.getKey());
            if (pattern == null) {
                return null;
            }
            patterns.add(pattern);
        }
        return KeySet.allBut(names, patterns);
    }

    private Formula required(List<String> names, boolean holds) {
        WorkLimit.spend(names.size());
        if (!holds) {
            return Formula.any(names.stream().map(this::absent).toList());
        }
        Map<String, Named> named = new LinkedHashMap<>();
        names.forEach(name -> named.put(name, new Named(goals.any(), true)));
        return named.isEmpty() ? Formula.TRUE : new Fact(ObjectShape.of(named));
    }

    Formula present(String name) {
        return new Fact(ObjectShape.of(Map.of(name, new Named(goals.any(), true))));
    }

    Formula absent(String name) {
        return new Fact(ObjectShape.of(Map.of(name, new Named(goals.never(), false))));
    }

    private Formula dependentRequired(Place place, boolean holds) {
        var parts = new ArrayList<Formula>();
        for (var field : SchemaScope.object(place, "dependentRequired").properties()) {
            var names = SchemaScope.strings(place, "dependentRequired", field.getValue());
            parts.add(dependent(field.getKey(), names, holds));
        }
        return Formula.of(holds, parts);
    }

    /// When the first property is there then the others are.
    Formula dependent(String name, List<String> names, boolean holds) {
        var parts = new ArrayList<Formula>();
        for (var other : names) {
            parts.add(
                    holds
                            ? Formula.any(List.of(absent(name), present(other)))
                            : Formula.all(List.of(present(name), absent(other))));
        }
        return Formula.of(holds, parts);
    }

    private static Formula size(int min, int max, boolean holds) {
        if (holds) {
            return new Fact(ObjectShape.ofSize(min, max));
        }
        if (min > 0) {
            return new Fact(ObjectShape.ofSize(0, min - 1));
        }
        return max == ObjectShape.UNBOUNDED
                ? Formula.FALSE
                : new Fact(ObjectShape.ofSize(max + 1, ObjectShape.UNBOUNDED));
    }

    /// Names must be among these.
    Formula names(TextPattern allowed, boolean holds) {
        var others = KeySet.of(TextPattern.not(allowed));
        return holds
                ? new Fact(ObjectShape.of(new Rule(others, goals.never())))
                : witness(List.of(new Clue.Present(others, goals.any())));
    }

    /// Applies `unevaluatedProperties` to objects that are evaluated in part.
    Fact withUnevaluated(Fact fact, Place schema, boolean holds) {
        var marks = fact.marks();
        var keys = KeySet.allBut(marks.names(), marks.keys());
        if (holds) {
            return marks.allProperties()
                    ? fact
                    : fact.and(new Fact(ObjectShape.of(new Rule(keys, context.fits(schema, true))), Marks.ALL));
        }
        List<Clue> clues =
                marks.allProperties() ? List.of() : List.of(new Clue.Present(keys, context.fits(schema, false)));
        return fact.and(new Fact(ObjectShape.of(clues)));
    }
}
