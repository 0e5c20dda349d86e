package dev.counterpoint.testkit.contract;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// One value under way. A schema is the list of its parts, places of the contract without `$ref` and `allOf`: a value
/// keeps all of them.
final class Draft {
    /// Values in one instance after which optional members stay away and arrays stay short, so that recursion ends.
    private static final int VALUES_MAX = 150;
    /// Tries to meet by chance what several schemas ask for.
    private static final int TRIES_MAX = 200;

    private static final int ELEMENTS_MAX = 3;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Contract contract;
    private final ContractValidator validator;
    private final SplittableRandom random;
    private final double appetite;
    private final RandomScalars scalars;
    private final Map<JsonNode, List<String>> objects = new IdentityHashMap<>();
    private int values;

    Draft(Contract contract, ContractValidator validator, SplittableRandom random, double appetite) {
        this.contract = contract;
        this.validator = validator;
        this.random = random;
        this.appetite = appetite;
        this.scalars = new RandomScalars(random);
    }

    /// The parts that an object of this draft keeps.
    List<String> partsOf(JsonNode object) {
        return objects.getOrDefault(object, List.of());
    }

    JsonNode value(List<String> parts) {
        values++;
        if (parts.isEmpty()) {
            return JSON.textNode(scalars.word()); // what the contract requires without saying what it is, is an id
        }
        if (parts.stream().allMatch(part -> contract.at(part).has("properties"))) {
            return object(parts);
        }
        return accepted(parts.subList(0, parts.size() - 1), () -> value(parts.getLast()));
    }

    /// What `made` makes until all of `parts` accept it.
    private JsonNode accepted(List<String> parts, Supplier<JsonNode> made) {
        for (int i = 0; i < TRIES_MAX; i++) {
            var value = made.get();
            if (parts.stream().allMatch(part -> validator.accepts(part, value))) {
                return value;
            }
        }
        throw new IllegalStateException("no value by chance that keeps all of " + parts);
    }

    private JsonNode value(String part) {
        var schema = contract.at(part);
        if (schema.has("enum")) {
            return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
        }
        if (schema.has("anyOf")) {
            return choice(part, "anyOf");
        }
        if (schema.has("oneOf")) {
            return schema.has("discriminator")
                    ? choice(part, "oneOf")
                    : accepted(List.of(part), () -> choice(part, "oneOf"));
        }
        var type = schema.path("type").asText(schema.has("items") ? "array" : "any");
        return switch (type) {
            case "string" -> JSON.textNode(scalars.text(schema));
            case "integer" -> JSON.numberNode(scalars.integer(schema));
            case "number" -> scalars.number(schema);
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "null" -> JSON.nullNode();
            case "array" -> array(part, schema);
            case "object" -> map(part, schema);
            case "any" -> anything(2);
            default -> throw new IllegalStateException("unknown type at " + part + ": " + type);
        };
    }

    private JsonNode choice(String part, String keyword) {
        int choices = contract.at(part).path(keyword).size();
        return value(contract.parts(part + "/" + keyword + "/" + random.nextInt(choices)));
    }

    private JsonNode array(String part, JsonNode schema) {
        int least = schema.path("minItems").asInt(0);
        int most = Math.min(schema.path("maxItems").asInt(ELEMENTS_MAX), Math.max(least, ELEMENTS_MAX));
        int size = hungry() ? random.nextInt(least, Math.max(least, most) + 1) : least;
        var array = JSON.arrayNode();
        for (int i = 0; i < size; i++) {
            array.add(value(contract.parts(part + "/items")));
        }
        return array;
    }

    private JsonNode object(List<String> parts) {
        var members = new LinkedHashMap<String, List<String>>();
        var needed = new LinkedHashSet<String>();
        for (var part : parts) {
            contract.at(part).path("required").forEach(name -> needed.add(name.textValue()));
            contract.at(part)
                    .path("properties")
                    .fieldNames()
                    .forEachRemaining(name -> members.computeIfAbsent(name, _ -> new ArrayList<>())
                            .addAll(contract.parts(part + "/properties/" + name)));
        }
        var object = JSON.objectNode();
        needed.forEach(name -> members.putIfAbsent(name, List.of()));
        for (var name : shuffled(members.keySet())) {
            if (needed.contains(name) || hungry() && random.nextDouble() < appetite) {
                object.set(name, value(requireNonNull(members.get(name))));
            }
        }
        objects.put(object, parts);
        return object;
    }

    /// An object without members of fixed names.
    private JsonNode map(String part, JsonNode schema) {
        var object = JSON.objectNode();
        boolean typed = schema.path("additionalProperties").size() > 0;
        boolean closed = schema.path("additionalProperties").isBoolean()
                && !schema.path("additionalProperties").booleanValue();
        int size = closed || !hungry() ? 0 : random.nextInt(ELEMENTS_MAX + 1);
        for (int i = 0; i < size; i++) {
            object.set(
                    "key" + i + scalars.word(),
                    typed ? value(contract.parts(part + "/additionalProperties")) : anything(2));
        }
        return object;
    }

    /// Any JSON but null, which in an object would be as good as absent.
    private JsonNode anything(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0 -> JSON.textNode(scalars.word());
            case 1 -> JSON.numberNode(random.nextInt());
            case 2 -> JSON.numberNode(random.nextInt(-4000, 4000) / 16.0);
            case 3 -> JSON.booleanNode(random.nextBoolean());
            case 4 -> JSON.arrayNode().add(anything(depth - 1)).add(anything(depth - 1));
            default -> JSON.objectNode().set("any", anything(depth - 1));
        };
    }

    private boolean hungry() {
        return values < VALUES_MAX;
    }

    private List<String> shuffled(Set<String> names) {
        var list = new ArrayList<>(names);
        for (int i = list.size() - 1; i > 0; i--) {
            var other = random.nextInt(i + 1);
            list.set(other, list.set(i, list.get(other)));
        }
        return list;
    }
}
