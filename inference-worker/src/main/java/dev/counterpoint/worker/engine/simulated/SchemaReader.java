package dev.counterpoint.worker.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the form out of a JSON schema; what it does not know is [Shape.Any].
final class SchemaReader {
    /// Recursive schemas end here.
    private static final int DEPTH_MAX = 8;

    private static final int ITEMS_MAX = 10;

    private final JsonNode root;

    private SchemaReader(JsonNode root) {
        this.root = root;
    }

    static Shape read(JsonNode schema) {
        return new SchemaReader(schema).shape(schema, 0);
    }

    private Shape shape(@Nullable JsonNode schema, int depth) {
        if (schema == null || !schema.isObject() || depth > DEPTH_MAX) {
            return new Shape.Any();
        }
        if (schema.has("$ref")) {
            return shape(resolve(schema.get("$ref").asText()), depth + 1);
        }
        if (schema.has("const")) {
            return new Shape.Choice(List.of(Json.write(schema.get("const"))));
        }
        if (schema.has("enum")) {
            return choice(schema.get("enum"));
        }
        for (var union : List.of("anyOf", "oneOf")) {
            if (schema.has(union)) {
                return anyOf(schema.get(union), depth);
            }
        }
        if (schema.has("allOf") && !schema.has("properties")) {
            return allOf(schema.get("allOf"), depth);
        }
        var type = schema.path("type");
        if (type.isArray()) {
            var shapes = new ArrayList<Shape>();
            type.forEach(one -> shapes.add(typed(one.asText(), schema, depth)));
            return new Shape.AnyOf(shapes);
        }
        return typed(type.asText(schema.has("properties") ? "object" : "any"), schema, depth);
    }

    private Shape typed(String type, JsonNode schema, int depth) {
        return switch (type) {
            case "string" -> new Shape.Text(schema.path("format").asText(null));
            case "integer", "number" ->
                new Shape.Numeric(type.equals("integer"), number(schema, "minimum"), number(schema, "maximum"));
            case "boolean" -> new Shape.Truth();
            case "null" -> new Shape.Nothing();
            case "array" ->
                new Shape.ListOf(
                        shape(schema.get("items"), depth + 1),
                        schema.path("minItems").asInt(0),
                        Math.min(ITEMS_MAX, schema.path("maxItems").asInt(ITEMS_MAX)));
            case "object" -> fields(schema, depth);
            default -> new Shape.Any();
        };
    }

    private Shape.Fields fields(JsonNode schema, int depth) {
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        var fields = new ArrayList<Shape.Field>();
        for (var property : schema.path("properties").properties()) {
            var value = property.getValue();
            fields.add(new Shape.Field(
                    property.getKey(),
                    shape(value, depth + 1),
                    required.contains(property.getKey()),
                    value.path("description").asText(value.path("title").asText("")),
                    value.has("default") ? Json.write(value.get("default")) : null));
        }
        return new Shape.Fields(fields);
    }

    private static Shape choice(JsonNode values) {
        var choices = new ArrayList<String>();
        values.forEach(value -> choices.add(Json.write(value)));
        return new Shape.Choice(choices);
    }

    private Shape anyOf(JsonNode variants, int depth) {
        var shapes = new ArrayList<Shape>();
        variants.forEach(variant -> shapes.add(shape(variant, depth + 1)));
        return shapes.isEmpty() ? new Shape.Any() : new Shape.AnyOf(shapes);
    }

    private Shape allOf(JsonNode parts, int depth) {
        var fields = new ArrayList<Shape.Field>();
        Shape last = new Shape.Any();
        for (var part : parts) {
            last = shape(part, depth + 1);
            if (last instanceof Shape.Fields(var more)) {
                fields.addAll(more);
            }
        }
        return fields.isEmpty() ? last : new Shape.Fields(fields);
    }

    private @Nullable JsonNode resolve(String reference) {
        return reference.startsWith("#") ? root.at(reference.substring(1)) : null;
    }

    private static @Nullable Double number(JsonNode schema, String member) {
        return schema.path(member).isNumber() ? schema.get(member).asDouble() : null;
    }
}
