package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.Claim.Either;
import dev.counterpoint.structured.schema.Claim.Equals;
import dev.counterpoint.structured.schema.Claim.Fits;
import dev.counterpoint.structured.schema.Formula.Fact;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a schema as a formula about the values of one type.
final class SchemaReader {
    private static final int DEPTH_MAX = 120;
    private static final int STEP_COST = 2;
    private static final Set<String> TYPES =
            Set.of("null", "boolean", "object", "array", "number", "string", "integer");
    /// Read after the others, so that properties are written in the order in which the schema describes them.
    private static final Set<String> LATER = Set.of(
            "required",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "patternProperties",
            "propertyNames",
            "additionalProperties",
            "not",
            "if",
            "minProperties",
            "maxProperties");

    private final SchemaScope context;
    private final ConstantReader constants;
    private final ScalarReader scalars;
    private final ArrayReader arrays;
    private final ObjectReader objects;
    private final Exclusion exclusion;
    private final Emptiness emptiness;
    private final Map<Reading, Formula> read = new HashMap<>();
    private Set<Reading> inProgress = new HashSet<>();

    private record Reading(Place place, View view) {}

    SchemaReader(SchemaScope context, Emptiness emptiness) {
        this.context = context;
        constants = new ConstantReader(context.goals);
        scalars = new ScalarReader(context);
        arrays = new ArrayReader(context);
        objects = new ObjectReader(context, scalars);
        this.emptiness = emptiness;
        exclusion = new Exclusion(this, emptiness);
    }

    /// The formula of a goal for values of a type.
    Formula read(Goal goal, JsonType type) {
        var outer = inProgress;
        inProgress = new HashSet<>();
        try {
            return conjunction(goal, View.of(type));
        } finally {
            inProgress = outer;
        }
    }

    private Formula conjunction(Goal goal, View view) {
        return Formula.all(goal.claims().stream()
                .map(claim -> switch (claim) {
                    case Fits(var schema, var holds) -> read(schema, view.holding(holds));
                    case Equals(var constant, var holds) -> constants.read(List.of(constant), view.holding(holds));
                    case Either(var goals) ->
                        Formula.any(goals.stream()
                                .map(one -> conjunction(one, view))
                                .toList());
                })
                .toList());
    }

    Formula read(Place place, View view) {
        if (place.node().isBoolean()) {
            return Formula.of(place.node().booleanValue() == view.holds());
        }
        if (!place.node().isObject()) {
            throw place.invalid("", "an object or a boolean");
        }
        var reading = new Reading(place, view);
        var known = read.get(reading);
        if (known != null) {
            return known;
        }
        WorkLimit.spend(STEP_COST);
        if (!inProgress.add(reading)) {
            return context.unsupported(place, "$ref", "leads back to itself without a value in between.");
        }
        if (inProgress.size() > DEPTH_MAX) {
            throw new TooComplexException("The schema is nested too deeply.");
        }
        var formula = readNew(place, view);
        inProgress.remove(reading);
        read.put(reading, formula);
        return formula;
    }

    private Formula readNew(Place place, View view) {
        boolean onlyReference = place.has("$ref") && place.resource().refHidesSiblings;
        if (onlyReference) {
            return reference(place, "$ref", view);
        }
        var types = type(place, view);
        if (types != null && types == Formula.of(!view.holds())) {
            return types;
        }
        var unevaluated = view.type() == JsonType.OBJECT ? "unevaluatedProperties" : "unevaluatedItems";
        boolean composite = view.type() == JsonType.OBJECT || view.type() == JsonType.ARRAY;
        if (!composite || !place.has(unevaluated)) {
            return Formula.of(view.holds(), parts(place, view));
        }
        var whole = Formula.all(parts(place, view.holding(true).withMarks()));
        var choices = new ArrayList<Formula>();
        if (!view.holds()) {
            choices.addAll(parts(place, view));
        }
        var schema = place.child(unevaluated);
        for (var fact : Disjuncts.of(whole, any(view.type()), emptiness)) {
            var exact = view.type() == JsonType.OBJECT
                    ? objects.withUnevaluated(fact, schema, view.holds())
                    : arrays.withUnevaluated(fact, schema, view.holds());
            choices.add(view.marked() ? exact : new Fact(exact.shape()));
        }
        return Formula.any(choices);
    }

    /// The shape of all values of a type.
    ValueShape any(JsonType type) {
        return switch (type) {
            case NULL -> new NullShape();
            case BOOLEAN -> BooleanShape.ANY;
            case NUMBER -> NumberShape.ANY;
            case STRING -> StringShape.ANY;
            case ARRAY -> ArrayShape.any(context.goals);
            case OBJECT -> ObjectShape.ANY;
        };
    }

    private List<Formula> parts(Place place, View view) {
        var parts = new ArrayList<Formula>();
        for (boolean later : new boolean[] {false, true}) {
            for (var field : place.node().properties()) {
                if (LATER.contains(field.getKey()) == later) {
                    var part = keyword(place, field.getKey(), view);
                    if (part != null) {
                        parts.add(part);
                    }
                }
            }
        }
        if (view.type() == JsonType.OBJECT && isClosed(place) && view.holds()) {
            parts.add(objects.closed(place));
        }
        return parts;
    }

    private boolean isClosed(Place place) {
        return !context.options.openObjects()
                && place.has("properties")
                && !place.has("additionalProperties")
                && !place.has("unevaluatedProperties");
    }

    private @Nullable Formula keyword(Place place, String keyword, View view) {
        return switch (keyword) {
            case "type" -> type(place, view);
            case "enum" -> constants.read(SchemaScope.array(place, keyword), view);
            case "const" -> constants.read(List.of(place.get(keyword)), view);
            case "allOf" -> Formula.of(view.holds(), readAll(SchemaScope.schemas(place, keyword), view));
            case "anyOf" -> anyOf(SchemaScope.schemas(place, keyword), view);
            case "oneOf" -> exclusion.oneOf(SchemaScope.schemas(place, keyword), view);
            case "not" -> read(place.child(keyword), view.holding(!view.holds()).withoutMarks());
            case "if" -> condition(place, view);
            case "$ref", "$dynamicRef", "$recursiveRef" -> reference(place, keyword, view);
            default -> {
                var plain = ofType(place, keyword, view);
                yield plain == null || view.marked() ? plain : Formula.unmarked(plain);
            }
        };
    }

    private Formula reference(Place place, String keyword, View view) {
        Place target;
        try {
            target = keyword.equals("$ref")
                    ? context.documents.target(place, keyword)
                    : context.documents.dynamicTarget(place, keyword);
        } catch (SchemaRefusedException e) {
            if (!context.options.lenient()) {
                throw e;
            }
            context.note(place, keyword, String.valueOf(e.getMessage()));
            return Formula.TRUE;
        }
        return read(target, view);
    }

    private @Nullable Formula ofType(Place place, String keyword, View view) {
        return switch (view.type()) {
            case NULL, BOOLEAN -> null;
            case NUMBER -> scalars.number(place, keyword, view.holds());
            case STRING -> scalars.string(place, keyword, view.holds());
            case ARRAY -> arrays.read(place, keyword, view.holds());
            case OBJECT -> object(place, keyword, view);
        };
    }

    List<Formula> readAll(List<Place> schemas, View view) {
        return schemas.stream().map(schema -> read(schema, view)).toList();
    }

    private @Nullable Formula type(Place place, View view) {
        if (!place.has("type")) {
            return null;
        }
        var value = place.get("type");
        var names = value.isTextual() ? List.of(value.textValue()) : SchemaScope.strings(place, "type", value);
        if (!TYPES.containsAll(names)) {
            throw place.invalid(
                    "type", "one or several of " + TYPES.stream().sorted().toList());
        }
        if (view.type() == JsonType.NUMBER && names.contains("integer") && !names.contains("number")) {
            return new Fact(NumberShape.ofIntegers(view.holds()));
        }
        return Formula.of(names.contains(view.type().name().toLowerCase(java.util.Locale.ROOT)) == view.holds());
    }

    private Formula anyOf(List<Place> schemas, View view) {
        var plain = Formula.of(!view.holds(), readAll(schemas, view.withoutMarks()));
        if (!view.marked()) {
            return plain;
        }
        var parts = new ArrayList<Formula>();
        for (var schema : schemas) {
            parts.add(Formula.any(List.of(read(schema, view), read(schema, view.holding(false)))));
        }
        parts.add(plain);
        return Formula.all(parts);
    }

    private @Nullable Formula condition(Place place, View view) {
        if (!place.has("then") && !place.has("else") && !view.marked()) {
            return null;
        }
        var condition = place.child("if");
        var yes = Formula.all(List.of(read(condition, view.holding(true)), branch(place, "then", view)));
        var no = Formula.all(List.of(read(condition, view.holding(false)), branch(place, "else", view)));
        return Formula.any(List.of(yes, no));
    }

    private Formula branch(Place place, String keyword, View view) {
        return place.has(keyword) ? read(place.child(keyword), view) : Formula.of(view.holds());
    }

    private @Nullable Formula object(Place place, String keyword, View view) {
        return switch (keyword) {
            case "dependentSchemas", "dependencies" -> dependencies(place, keyword, view);
            case "propertyNames" -> objects.names(names(place.child(keyword)), view.holds());
            default -> objects.read(place, keyword, view.holds());
        };
    }

    private Formula dependencies(Place place, String keyword, View view) {
        var parts = new ArrayList<Formula>();
        for (var field : SchemaScope.object(place, keyword).properties()) {
            var name = field.getKey();
            if (field.getValue().isArray()) {
                var names = SchemaScope.strings(place, keyword, field.getValue());
                parts.add(objects.dependent(name, names, view.holds()));
            } else {
                var present = Formula.all(List.of(objects.present(name), read(place.child(keyword, name), view)));
                parts.add(view.holds() ? Formula.any(List.of(objects.absent(name), present)) : present);
            }
        }
        return Formula.of(view.holds(), parts);
    }

    private TextPattern names(Place schema) {
        var shapes = Disjuncts.of(read(schema, View.of(JsonType.STRING)), StringShape.ANY, emptiness);
        return TextPattern.or(shapes.stream()
                .map(fact -> ((StringShape) fact.shape()).whole())
                .toList());
    }
}
