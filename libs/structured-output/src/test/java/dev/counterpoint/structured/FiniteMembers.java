package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Arrays and objects that schemas may allow together, with all that their members may be.
final class FiniteMembers {
    private final List<JsonNode> parts;
    private final Function<JsonNode, List<JsonNode>> candidates;

    /// @param candidates the values that a schema suggests
    FiniteMembers(List<JsonNode> parts, Function<JsonNode, List<JsonNode>> candidates) {
        this.parts = parts;
        this.candidates = candidates;
    }

    List<JsonNode> arrays() {
        var schema =
                parts.stream().filter(part -> part.has("items")).findFirst().orElse(SchemaDice.object());
        FiniteValues.check(0, schema.has("items"));
        var prefix = schema.path("prefixItems");
        var items = schema.path("items");
        boolean closed = items.isBoolean() && !items.asBoolean();
        FiniteValues.check(0, closed || schema.has("maxItems"));
        int longest = closed ? prefix.size() : schema.path("maxItems").asInt();
        List<List<JsonNode>> ofLength = List.of(List.of());
        var all = new ArrayList<JsonNode>(List.of(SchemaDice.array(List.of())));
        for (int i = 0; i < longest && !ofLength.isEmpty(); i++) {
            ofLength = extended(ofLength, candidates.apply(i < prefix.size() ? prefix.path(i) : items));
            ofLength.forEach(one -> all.add(SchemaDice.array(one)));
            FiniteValues.check(all.size(), true);
        }
        return all;
    }

    private static List<List<JsonNode>> extended(List<List<JsonNode>> lists, List<JsonNode> values) {
        FiniteValues.check((long) lists.size() * values.size(), true);
        var longer = new ArrayList<List<JsonNode>>();
        for (var list : lists) {
            for (var value : values) {
                var one = new ArrayList<>(list);
                one.add(value);
                longer.add(one);
            }
        }
        return longer;
    }

    List<JsonNode> objects() {
        FiniteValues.check(0, parts.stream().anyMatch(FiniteMembers::isClosed));
        List<ObjectNode> objects = List.of(SchemaDice.object());
        for (var name : names()) {
            var more = new ArrayList<>(objects);
            for (var value : values(name)) {
                objects.forEach(object -> more.add(FiniteValues.plus(object, name, value)));
                FiniteValues.check(more.size(), true);
            }
            objects = more;
        }
        return List.copyOf(objects);
    }

    private static boolean isClosed(JsonNode part) {
        var more = part.path("additionalProperties");
        return more.isBoolean() && !more.asBoolean() && !part.has("patternProperties");
    }

    /// In the order in which the parts name them; those that one of the parts forbids are left out.
    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        parts.forEach(part -> part.path("properties").fieldNames().forEachRemaining(names::add));
        for (var part : parts) {
            if (isClosed(part)) {
                names.removeIf(name -> !part.path("properties").has(name));
            }
        }
        return names;
    }

    private List<JsonNode> values(String name) {
        var schemas = parts.stream()
                .map(part -> part.path("properties").path(name))
                .filter(schema -> !schema.isMissingNode())
                .toList();
        return schemas.size() == 1
                ? candidates.apply(schemas.getFirst())
                : candidates.apply(SchemaDice.object().set("allOf", SchemaDice.array(schemas)));
    }
}
