package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Makes schemas of arrays and objects by chance.
final class RandomContainerSchema {
    private static final List<String> NAMES = List.of("a", "b", "ab", "c d", "é", "t", "q\"");

    private final SchemaDice dice;
    private final boolean finite;
    private final IntFunction<JsonNode> members;

    /// @param members makes the schema of a member that has so many containers around it
    RandomContainerSchema(SchemaDice dice, boolean finite, IntFunction<JsonNode> members) {
        this.dice = dice;
        this.finite = finite;
        this.members = members;
    }

    JsonNode make(int depth) {
        if (dice.percent(35)) {
            return array(depth + 1);
        }
        return switch (dice.below(10)) {
            case 0 -> objectInParts(depth + 1);
            case 1 -> conditionalObject();
            default -> object(depth + 1);
        };
    }

    private ObjectNode array(int depth) {
        var schema = SchemaDice.object().put("type", "array");
        int prefix = dice.percent(30) ? dice.between(1, 2) : 0;
        if (prefix > 0) {
            var items = new ArrayList<JsonNode>();
            for (int i = 0; i < prefix; i++) {
                items.add(members.apply(depth));
            }
            schema.set("prefixItems", SchemaDice.array(items));
        }
        boolean closed = prefix > 0 && dice.percent(40);
        schema.set("items", closed ? SchemaDice.bool(false) : members.apply(depth));
        if (dice.percent(40)) {
            schema.put("minItems", dice.between(0, 2));
        }
        if (finite || dice.percent(40)) {
            schema.put("maxItems", dice.between(1, finite ? 2 : 6));
        }
        if (dice.percent(20)) {
            schema.put("uniqueItems", true);
        }
        return schema;
    }

    private ObjectNode object(int depth) {
        var names = dice.draw(NAMES, dice.between(1, finite ? 3 : 5));
        var schema = objectOf(names, depth);
        if (finite) {
            schema.put("additionalProperties", false);
        } else {
            open(schema, depth);
        }
        if (dice.percent(15)) {
            schema.put("minProperties", dice.between(1, names.size()));
        }
        if (dice.percent(15)) {
            schema.put("maxProperties", dice.between(1, names.size()));
        }
        if (dice.percent(15) && names.size() > 1) {
            depend(schema, names);
        }
        return schema;
    }

    private ObjectNode objectOf(List<String> names, int depth) {
        var properties = SchemaDice.object();
        names.forEach(name -> properties.set(name, members.apply(depth)));
        var schema = SchemaDice.object().put("type", "object");
        schema.set("properties", properties);
        return schema.set("required", SchemaDice.texts(dice.some(names, 50)));
    }

    /// Allows more members than the schema names, or none.
    private void open(ObjectNode schema, int depth) {
        switch (dice.below(5)) {
            case 0 -> schema.put("additionalProperties", false);
            case 1 -> schema.set("additionalProperties", members.apply(depth));
            case 2 -> {
                schema.set("patternProperties", SchemaDice.object().set("^x_", members.apply(depth)));
                schema.put("additionalProperties", dice.percent(50));
            }
            case 3 -> schema.set("propertyNames", SchemaDice.object().put("pattern", "^[^0-9]*$"));
            default -> {}
        }
    }

    private void depend(ObjectNode schema, List<String> names) {
        var first = names.getFirst();
        var last = names.getLast();
        if (dice.percent(60)) {
            schema.set("dependentRequired", SchemaDice.object().set(first, SchemaDice.texts(List.of(last))));
        } else {
            var needs = SchemaDice.object().set("required", SchemaDice.texts(List.of(last)));
            schema.set("dependentSchemas", SchemaDice.object().set(first, needs));
        }
    }

    /// An object whose members stand in the parts of an `allOf`.
    ObjectNode objectInParts(int depth) {
        var names = dice.draw(NAMES, 4);
        var schema = objectOf(names, depth);
        var first = objectOf(names.subList(0, 2), depth);
        var properties = SchemaDice.object();
        properties.set(names.get(0), members.apply(depth));
        var second = SchemaDice.object().set("properties", properties);
        schema.set("allOf", SchemaDice.array(dice.percent(50) ? List.of(first) : List.of(first, second)));
        return schema.put("additionalProperties", false);
    }

    /// An object that must be otherwise when one of its members has a value.
    ObjectNode conditionalObject() {
        var kind = SchemaDice.object().set("enum", SchemaDice.texts(List.of("x", "y")));
        var properties = SchemaDice.object().set("t", kind);
        ((ObjectNode) properties)
                .set(
                        "n",
                        SchemaDice.object()
                                .put("type", "integer")
                                .put("minimum", 0)
                                .put("maximum", 12));
        ((ObjectNode) properties).set("b", SchemaDice.object().put("type", "boolean"));
        var schema = SchemaDice.object().put("type", "object");
        schema.set("properties", properties);
        schema.set("required", SchemaDice.texts(List.of("t")));
        schema.put("additionalProperties", false);
        var isX = SchemaDice.object();
        isX.set("properties", SchemaDice.object().set("t", SchemaDice.object().put("const", "x")));
        schema.set("if", isX);
        schema.set("then", consequence());
        if (dice.percent(60)) {
            schema.set("else", consequence());
        }
        return schema;
    }

    private JsonNode consequence() {
        if (dice.percent(50)) {
            return SchemaDice.object().set("required", SchemaDice.texts(dice.some(List.of("n", "b"), 60)));
        }
        var bound = SchemaDice.object().put("maximum", dice.between(0, 12));
        return SchemaDice.object().set("properties", SchemaDice.object().set("n", bound));
    }
}
