package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Makes schemas by chance over every keyword that is enforced. Finite ones allow a few values only, apart from
/// what makes them impossible by chance.
final class RandomSchema {
    private static final int DEPTH_MAX = 3;

    private final SchemaDice dice;
    private final boolean finite;
    private final RandomScalarSchema scalars;
    private final RandomContainerSchema containers;
    private final List<String> definitions = new ArrayList<>();
    private ObjectNode defined = SchemaDice.object();

    private RandomSchema(SchemaDice dice, boolean finite) {
        this.dice = dice;
        this.finite = finite;
        scalars = new RandomScalarSchema(dice, finite);
        containers = new RandomContainerSchema(dice, finite, this::schema);
    }

    static JsonNode of(SchemaDice dice, boolean finite) {
        return new RandomSchema(dice, finite).root();
    }

    private JsonNode root() {
        for (int i = dice.below(3); i > 0; i--) {
            var name = "d" + definitions.size();
            defined.set(name, schema(1));
            definitions.add(name);
        }
        var schema = dice.percent(75) ? containers.make(0) : schema(0);
        if (schema instanceof ObjectNode object && !defined.isEmpty()) {
            object.set("$defs", defined);
        } else if (!defined.isEmpty()) {
            return SchemaDice.object().set("$defs", defined);
        }
        return schema;
    }

    /// @param depth of containers around it
    private JsonNode schema(int depth) {
        int kind = dice.below(100);
        if (depth < DEPTH_MAX && kind < 25) {
            return containers.make(depth);
        }
        if (depth < DEPTH_MAX && kind < 45) {
            return combined(depth + 1);
        }
        if (kind < 52 && !definitions.isEmpty()) {
            return SchemaDice.object().put("$ref", "#/$defs/" + dice.of(definitions));
        }
        if (kind < 54) {
            return SchemaDice.bool(!finite && dice.percent(80));
        }
        return scalars.make();
    }

    private JsonNode combined(int depth) {
        return switch (dice.below(7)) {
            case 0, 1 -> anyOf("anyOf", depth);
            case 2 -> anyOf("oneOf", depth);
            case 3 -> oneOfTagged(depth);
            case 4 -> allOf(depth);
            case 5 -> scalars.with("not", scalars.excluded());
            default -> conditional();
        };
    }

    private JsonNode anyOf(String keyword, int depth) {
        var branches = several(() -> schema(depth), dice.between(2, 3));
        return SchemaDice.object().set(keyword, SchemaDice.array(branches));
    }

    private JsonNode oneOfTagged(int depth) {
        var branches = new ArrayList<JsonNode>();
        for (var tag : dice.draw(List.of("x", "y", "zz"), dice.between(2, 3))) {
            var properties = SchemaDice.object();
            properties.set("t", SchemaDice.object().put("const", tag));
            properties.set("v", schema(depth));
            var branch = SchemaDice.object().put("type", "object");
            branch.set("properties", properties);
            branch.set("required", SchemaDice.texts(dice.percent(50) ? List.of("t") : List.of("t", "v")));
            branches.add(branch.put("additionalProperties", false));
        }
        return SchemaDice.object().set(dice.percent(70) ? "oneOf" : "anyOf", SchemaDice.array(branches));
    }

    private JsonNode allOf(int depth) {
        if (dice.percent(50)) {
            return containers.objectInParts(depth);
        }
        return SchemaDice.object().set("allOf", SchemaDice.array(scalars.overlapping()));
    }

    private JsonNode conditional() {
        var schema = containers.conditionalObject();
        return schema;
    }

    private static List<JsonNode> several(Supplier<JsonNode> maker, int count) {
        var made = new ArrayList<JsonNode>();
        for (int i = 0; i < count; i++) {
            made.add(maker.get());
        }
        return made;
    }
}
