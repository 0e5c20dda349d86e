package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.schema.ArrayShape.Count;
import dev.counterpoint.structured.schema.Formula.Fact;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the keywords about lists.
final class ArrayReader {
    private final SchemaScope context;
    private final Goals goals;
    private final ArrayShape any;

    ArrayReader(SchemaScope context) {
        this.context = context;
        goals = context.goals;
        any = ArrayShape.any(goals);
    }

    /// The formula of the keyword, or null if it has none.
    @Nullable
    Formula read(Place place, String keyword, boolean holds) {
        return switch (keyword) {
            case "prefixItems" -> first(SchemaScope.schemas(place, keyword), holds);
            case "items" ->
                place.get(keyword).isArray()
                        ? first(SchemaScope.schemas(place, keyword), holds)
                        : rest(prefixSize(place, "prefixItems"), place.child(keyword), holds);
            case "additionalItems" ->
                place.node().path("items").isArray()
                        ? rest(prefixSize(place, "items"), place.child(keyword), holds)
                        : null;
            case "minItems" -> size(SchemaScope.count(place, keyword), ArrayShape.UNBOUNDED, holds);
            case "maxItems" -> size(0, SchemaScope.count(place, keyword), holds);
            case "uniqueItems" -> distinct(place, holds);
            case "contains" -> contains(place, holds);
            default -> null;
        };
    }

    private static int prefixSize(Place place, String keyword) {
        return place.node().path(keyword).size();
    }

    private List<Goal> prefix(int size) {
        return new ArrayList<>(Collections.nCopies(size, goals.any()));
    }

    private Formula first(List<Place> schemas, boolean holds) {
        var choices = new ArrayList<Formula>();
        var items = new ArrayList<Goal>();
        for (var schema : schemas) {
            var first = prefix(items.size());
            first.add(context.fits(schema, false));
            choices.add(new Fact(any.withItems(first, goals.any()).withSize(first.size(), ArrayShape.UNBOUNDED)));
            items.add(context.fits(schema, true));
        }
        return holds ? new Fact(any.withItems(items, goals.any()), Marks.ofItems(items.size())) : Formula.any(choices);
    }

    private Formula rest(int from, Place schema, boolean holds) {
        return holds
                ? new Fact(any.withItems(prefix(from), context.fits(schema, true)), Marks.ALL)
                : some(from, context.fits(schema, false), context.fits(schema, true));
    }

    /// Some item from an index on meets the goal.
    private Formula some(int from, Goal goal, Goal opposite) {
        return new Fact(any.withCount(new Count(from, goal, opposite, 1, ArrayShape.UNBOUNDED)));
    }

    private Formula size(int min, int max, boolean holds) {
        if (holds) {
            return new Fact(any.withSize(min, max));
        }
        if (min > 0) {
            return new Fact(any.withSize(0, min - 1));
        }
        return max == ArrayShape.UNBOUNDED ? Formula.FALSE : new Fact(any.withSize(max + 1, ArrayShape.UNBOUNDED));
    }

    private @Nullable Formula distinct(Place place, boolean holds) {
        var wanted = place.get("uniqueItems");
        if (!wanted.isBoolean()) {
            throw place.invalid("uniqueItems", "a boolean");
        }
        if (!wanted.booleanValue()) {
            return null;
        }
        return holds
                ? new Fact(any.withDistinct(place))
                : context.unsupported(place, "uniqueItems", "cannot be negated.");
    }

    private Formula contains(Place place, boolean holds) {
        var schema = place.child("contains");
        var goal = context.fits(schema, true);
        var opposite = context.fits(schema, false);
        int min = place.has("minContains") ? SchemaScope.count(place, "minContains") : 1;
        int max = place.has("maxContains") ? SchemaScope.count(place, "maxContains") : ArrayShape.UNBOUNDED;
        if (holds) {
            var shape = min == 0 && max == ArrayShape.UNBOUNDED
                    ? any
                    : any.withCount(new Count(0, goal, opposite, min, max));
            return new Fact(shape, Marks.ofItemsMeeting(goal));
        }
        var choices = new ArrayList<Formula>();
        if (min > 0) {
            choices.add(new Fact(any.withCount(new Count(0, goal, opposite, 0, min - 1))));
        }
        if (max < ArrayShape.UNBOUNDED) {
            choices.add(new Fact(any.withCount(new Count(0, goal, opposite, max + 1, ArrayShape.UNBOUNDED))));
        }
        return Formula.any(choices);
    }

    /// Applies `unevaluatedItems` to lists that are evaluated in part.
    Fact withUnevaluated(Fact fact, Place schema, boolean holds) {
        var marks = fact.marks();
        var allowed = new ArrayList<>(marks.containing());
        allowed.add(context.fits(schema, true));
        var evaluated = goals.either(allowed);
        if (holds) {
            return marks.items() == Integer.MAX_VALUE
                    ? fact
                    : fact.and(new Fact(any.withItems(prefix(marks.items()), evaluated), Marks.ALL));
        }
        if (marks.items() == Integer.MAX_VALUE) {
            return fact.and(new Fact(any.withSize(1, 0)));
        }
        var other = context.fits(schema, false);
        for (var goal : marks.containing()) {
            other = other.and(goals.opposite(goal));
        }
        return fact.and((Fact) some(marks.items(), other, evaluated));
    }
}
