package dev.counterpoint.harmony.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes a JSON schema as the TypeScript-like type the model was trained on.
///
/// The quirks are the reference's (`json_schema_to_typescript`) and part of the format: no parentheses around a union
/// that is an array's item, no type for `anyOf`, `allOf` and `$ref`, a nested object's description written twice.
final class SchemaTypes {
    private static final String VARIANT_INDENT = "   ";
    private static final String PROPERTY_INDENT = "    ";

    private final ReferenceCodec reference;

    private SchemaTypes(ReferenceCodec reference) {
        this.reference = reference;
    }

    static String typeOf(JsonNode schema, ReferenceCodec reference) {
        return new SchemaTypes(reference).typeOf(schema, "");
    }

    private String typeOf(JsonNode schema, String indent) {
        if (schema.get("oneOf") instanceof JsonNode variants && variants.isArray()) {
            return union(variants, indent);
        }
        var type = schema.path("type");
        if (type.isArray()) {
            return typeNames(type);
        }
        return switch (type.asText()) {
            case "object" -> object(schema, indent);
            case "string" -> stringType(schema);
            case "number", "integer" -> "number";
            case "boolean" -> "boolean";
            case "array" -> schema.get("items") instanceof JsonNode items ? typeOf(items, indent) + "[]" : "Array<any>";
            default -> "any";
        };
    }

    private String union(JsonNode variants, String indent) {
        var out = new StringBuilder();
        for (JsonNode variant : variants) {
            out.append('\n').append(indent).append(" | ").append(variantType(variant, indent));
            var notes = new ArrayList<String>();
            addIfPresent(notes, text(variant, "description"));
            if (variant.get("default") instanceof JsonNode value) {
                // Unlike in a property's union, an enum's default is JSON here.
                boolean plain = value.isTextual() && !isEnum(variant);
                notes.add("default: " + (plain ? quoted(value) : ReferenceJson.of(value, reference)));
            }
            appendNotes(out, notes);
        }
        return out.toString();
    }

    private String variantType(JsonNode variant, String indent) {
        return orNull(variant, typeOf(variant, indent + VARIANT_INDENT));
    }

    private static String typeNames(JsonNode names) {
        var out = new ArrayList<String>();
        for (JsonNode name : names) {
            if (name.isTextual()) {
                out.add(name.asText().equals("integer") ? "number" : name.asText());
            }
        }
        return out.isEmpty() ? "any" : String.join(" | ", out);
    }

    private static String stringType(JsonNode schema) {
        var values = new ArrayList<String>();
        if (schema.get("enum") instanceof ArrayNode members) {
            for (JsonNode member : members) {
                if (member.isTextual()) {
                    values.add(quoted(member));
                }
            }
        }
        return values.isEmpty() ? "string" : String.join(" | ", values);
    }

    private String object(JsonNode schema, String indent) {
        var out = new StringBuilder();
        if (text(schema, "description") instanceof String description) {
            out.append(indent).append("// ").append(description).append('\n');
        }
        out.append("{\n");
        var required = required(schema);
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            var key = property.getKey() + (required.contains(property.getKey()) ? ":" : "?:");
            appendProperty(out, key, property.getValue(), indent);
        }
        return out.append(indent).append('}').toString();
    }

    private static Set<String> required(JsonNode schema) {
        var names = new HashSet<String>();
        if (schema.get("required") instanceof ArrayNode list) {
            for (JsonNode name : list) {
                if (name.isTextual()) {
                    names.add(name.asText());
                }
            }
        }
        return names;
    }

    private void appendProperty(StringBuilder out, String key, JsonNode property, String indent) {
        if (text(property, "title") instanceof String title) {
            out.append(indent).append("// ").append(title).append('\n');
            out.append(indent).append("//\n");
        }
        var description = text(property, "description");
        // A `oneOf` that is no array makes no union, yet it silences the description and the default.
        boolean silenced = property.has("oneOf");
        if (description != null && !silenced) {
            out.append(indent).append("// ").append(description).append('\n');
        }
        appendExamples(out, property.path("examples"), indent);
        if (property.get("oneOf") instanceof ArrayNode) {
            appendUnionProperty(out, key, property, indent);
        } else {
            out.append(indent).append(key).append(' ');
            out.append(orNull(property, typeOf(property, indent + PROPERTY_INDENT)))
                    .append(',');
            if (!silenced && property.get("default") instanceof JsonNode value) {
                out.append(" // default: ").append(propertyDefault(value, property));
            }
            out.append('\n');
        }
    }

    private static void appendExamples(StringBuilder out, JsonNode examples, String indent) {
        if (examples.isArray() && !examples.isEmpty()) {
            out.append(indent).append("// Examples:\n");
            for (JsonNode example : examples) {
                if (example.isTextual()) {
                    out.append(indent).append("// - ").append(quoted(example)).append('\n');
                }
            }
        }
    }

    private void appendUnionProperty(StringBuilder out, String key, JsonNode property, String indent) {
        var variants = property.path("oneOf");
        var description = text(property, "description");
        boolean described = description != null && !description.equals(text(variants.path(0), "description"));
        if (described) {
            out.append(indent).append("// ").append(description).append('\n');
        }
        if (property.get("default") instanceof JsonNode value) {
            out.append(indent)
                    .append("// default: ")
                    .append(propertyDefault(value, property))
                    .append('\n');
        }
        out.append(indent).append(key).append('\n');
        for (int i = 0; i < variants.size(); i++) {
            var variant = variants.get(i);
            out.append(indent).append(" | ").append(variantType(variant, indent));
            var notes = new ArrayList<String>();
            var note = text(variant, "description");
            if (note != null && !note.equals(description) && !(i == 0 && described)) {
                notes.add(note);
            }
            if (variant.get("default") instanceof JsonNode value) {
                notes.add("default: " + propertyDefault(value, variant));
            }
            appendNotes(out, notes);
            out.append('\n');
        }
        out.append(indent).append(",\n");
    }

    private static void appendNotes(StringBuilder out, List<String> notes) {
        if (!notes.isEmpty()) {
            out.append(" // ").append(String.join(" ", notes));
        }
    }

    private static void addIfPresent(List<String> notes, @Nullable String note) {
        if (note != null) {
            notes.add(note);
        }
    }

    /// A string is quoted, but bare where the schema has an enum; anything else is JSON.
    private String propertyDefault(JsonNode value, JsonNode schema) {
        if (!value.isTextual()) {
            return ReferenceJson.of(value, reference);
        }
        return isEnum(schema) ? value.asText() : quoted(value);
    }

    private static boolean isEnum(JsonNode schema) {
        return schema.get("enum") instanceof ArrayNode members && !members.isEmpty();
    }

    private static String orNull(JsonNode schema, String type) {
        boolean nullable = schema.path("nullable").equals(BooleanNode.TRUE);
        return nullable && !type.contains("null") ? type + " | null" : type;
    }

    /// Quotes without escaping, as the reference does.
    private static String quoted(JsonNode text) {
        return '"' + text.asText() + '"';
    }

    private static @Nullable String text(JsonNode schema, String member) {
        return schema.get(member) instanceof JsonNode value && value.isTextual() ? value.asText() : null;
    }
}
