package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.structured.strict.StrictSchema;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Makes a schema one that strict mode takes: objects are closed and all their properties required, and keywords that
/// strict mode has not are dropped.
final class StrictShape {
    private static final Set<String> KEPT = Set.of(
            "type",
            "enum",
            "const",
            "$ref",
            "pattern",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength");
    private static final List<String> DEFINITIONS = List.of("$defs", "definitions");

    private StrictShape() {}

    /// Nothing where strict mode still does not take the schema.
    static Optional<JsonNode> of(JsonNode schema) {
        var shaped = shape(schema);
        for (var definitions : DEFINITIONS) {
            if (schema.path(definitions).isObject()) {
                var all = shaped.putObject(definitions);
                schema.path(definitions).properties().forEach(each -> all.set(each.getKey(), shape(each.getValue())));
            }
        }
        return StrictSchema.violation(shaped).isEmpty() && isEnforceable(shaped)
                ? Optional.of(shaped)
                : Optional.empty();
    }

    private static boolean isEnforceable(JsonNode schema) {
        try {
            JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, RegexPool.shared());
            return true;
        } catch (SchemaRefusedException _) {
            return false;
        }
    }

    private static ObjectNode shape(JsonNode schema) {
        var shaped = JsonNodeFactory.instance.objectNode();
        schema.properties().stream()
                .filter(each -> KEPT.contains(each.getKey()))
                .forEach(each -> shaped.set(each.getKey(), each.getValue()));
        if (schema.path("items").isObject()) {
            shaped.set("items", shape(schema.path("items")));
        }
        for (var union : List.of("anyOf", "oneOf")) {
            if (schema.path(union) instanceof ArrayNode choices) {
                var all = shaped.putArray("anyOf");
                choices.forEach(choice -> all.add(shape(choice)));
            }
        }
        var properties = schema.path("properties");
        if (properties.isObject() && !properties.isEmpty()) {
            shaped.put("type", "object").put("additionalProperties", false);
            var all = shaped.putObject("properties");
            var required = shaped.putArray("required");
            properties.properties().forEach(each -> {
                all.set(each.getKey(), shape(each.getValue()));
                required.add(each.getKey());
            });
        }
        return shaped;
    }
}
