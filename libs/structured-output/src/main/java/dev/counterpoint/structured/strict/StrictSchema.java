package dev.counterpoint.structured.strict;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The schemas that OpenAI takes with `strict: true`, and the first rule that another one breaks, in OpenAI's
/// words.
///
/// Looks at the form of all keywords ([SchemaSyntax]), then at the root, then at all schemas breadth first in the
/// order of the text, then at the limits of the whole ([StrictLimits]). Nothing here recurses, and the work grows
/// with the schema's size alone.
public final class StrictSchema {
    /// What strict mode refuses wherever it stands. `minLength` and `maxLength` are not among them, though OpenAI
    /// was seen to refuse them: they can be enforced.
    private static final Set<String> NOT_PERMITTED = Set.of(
            "allOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "unevaluatedProperties",
            "unevaluatedItems",
            "additionalItems",
            "prefixItems",
            "contains",
            "minContains",
            "maxContains",
            "uniqueItems",
            "default",
            "$dynamicRef",
            "$recursiveRef");
    private static final Set<String> FORMATS =
            Set.of("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid");
    private static final Set<String> ROOT_ONLY_OBJECT = Set.of("anyOf", "enum");
    private static final int TOLD_SIBLINGS = 10;
    private static final List<String> DEFINITIONS = List.of("$defs", "definitions");

    private final JsonNode root;
    private final ArrayDeque<Place> open = new ArrayDeque<>();

    private StrictSchema(JsonNode root) {
        this.root = root;
    }

    private record Place(JsonNode schema, SchemaContext context) {}

    /// The first rule that the schema breaks; empty when strict mode takes it.
    public static Optional<SchemaViolation> violation(JsonNode schema) {
        return SchemaSyntax.violation(schema)
                .or(() -> Optional.ofNullable(new StrictSchema(schema).walk()))
                .or(() -> StrictLimits.of(schema).violation());
    }

    private @Nullable SchemaViolation walk() {
        if (!root.path("type").asText().equals("object")) {
            return SchemaSyntax.notAnObject(root);
        }
        if (ROOT_ONLY_OBJECT.stream().anyMatch(root::has)) {
            return new SchemaViolation("schema must have type 'object' and not have"
                    + " 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.");
        }
        open.add(new Place(root, SchemaContext.ROOT));
        for (var definitions : DEFINITIONS) {
            root.path(definitions)
                    .properties()
                    .forEach(member -> open.add(
                            new Place(member.getValue(), SchemaContext.ROOT.then(definitions, member.getKey()))));
        }
        while (!open.isEmpty()) {
            var place = open.remove();
            var violation = place.schema.has("$ref") ? reference(place) : schema(place);
            if (violation != null) {
                return violation;
            }
        }
        return null;
    }

    private @Nullable SchemaViolation reference(Place place) {
        var siblings = place.schema
                .propertyStream()
                .map(member -> member.getKey())
                .filter(keyword -> !keyword.equals("$ref"))
                .limit(TOLD_SIBLINGS)
                .map(PythonText::repr)
                .collect(Collectors.joining(", "));
        if (!siblings.isEmpty()) {
            return SchemaViolation.at(place.context, "$ref cannot have keywords {" + siblings + "}.");
        }
        var reference = place.schema.path("$ref").asText();
        if (reference.equals("#")) {
            return null;
        }
        var far = "reference can only point to definitions defined at the top level of the schema";
        for (var definitions : DEFINITIONS) {
            var beginning = "#/" + definitions + "/";
            if (reference.startsWith(beginning) && reference.indexOf('/', beginning.length()) < 0) {
                boolean there = root.path(definitions).has(unescaped(reference.substring(beginning.length())));
                return there
                        ? null
                        : SchemaViolation.in(
                                place.context, far + "; " + PythonText.repr(reference) + " is not defined.");
            }
        }
        return SchemaViolation.in(place.context, far + ".");
    }

    /// A segment of a JSON pointer in a URI.
    private static String unescaped(String segment) {
        var plain = segment;
        if (segment.indexOf('%') >= 0) {
            try {
                plain = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return segment;
            }
        }
        return plain.replace("~1", "/").replace("~0", "~");
    }

    private @Nullable SchemaViolation schema(Place place) {
        var schema = place.schema;
        for (var member : schema.properties()) {
            if (NOT_PERMITTED.contains(member.getKey())) {
                return SchemaViolation.in(place.context, PythonText.repr(member.getKey()) + " is not permitted.");
            }
        }
        var branches = schema.path("anyOf");
        for (int i = 0; i < branches.size(); i++) {
            open.add(new Place(branches.get(i), place.context.then("anyOf", Integer.toString(i))));
        }
        var types = schema.path("type");
        if (types.isMissingNode() && branches.isEmpty()) {
            return SchemaViolation.in(place.context, "schema must have a 'type' key.");
        }
        if (!types.isArray()) {
            var violation = typed(types.asText(), place);
            return violation == null ? values(place) : violation;
        }
        // Each type of a list is judged as a schema of its own, in a context of its own.
        for (int i = 0; i < types.size(); i++) {
            var violation =
                    typed(types.get(i).asText(), new Place(schema, place.context.then("type", Integer.toString(i))));
            if (violation != null) {
                return violation;
            }
        }
        return values(place);
    }

    private @Nullable SchemaViolation typed(String type, Place place) {
        return switch (type) {
            case "object" -> object(place);
            case "array" -> array(place);
            case "string" -> string(place);
            default -> null;
        };
    }

    private @Nullable SchemaViolation object(Place place) {
        var additional = place.schema.get("additionalProperties");
        if (additional == null || !additional.isBoolean() || additional.booleanValue()) {
            return SchemaViolation.in(
                    place.context, "'additionalProperties' is required to be supplied and to be false.");
        }
        var properties = place.schema.get("properties");
        if (properties == null) {
            return SchemaViolation.in(place.context, "object schema missing properties.");
        }
        var wrong = required(place.schema, properties);
        if (wrong != null) {
            return SchemaViolation.in(
                    place.context,
                    "'required' is required to be supplied and to be an array including every key in properties. "
                            + wrong);
        }
        properties
                .properties()
                .forEach(member ->
                        open.add(new Place(member.getValue(), place.context.then("properties", member.getKey()))));
        return null;
    }

    /// OpenAI does not count a property that is a map of any keys, so that such a one is an extra key when
    /// required.
    private static @Nullable String required(JsonNode schema, JsonNode properties) {
        var required = new LinkedHashSet<String>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        var names = new HashSet<String>();
        for (var member : properties.properties()) {
            if (isOpenMap(member.getValue())) {
                continue;
            }
            names.add(member.getKey());
            if (!required.contains(member.getKey())) {
                return "Missing " + PythonText.repr(member.getKey()) + ".";
            }
        }
        for (var name : required) {
            if (!names.contains(name)) {
                return "Extra required key " + PythonText.repr(name) + " supplied.";
            }
        }
        return null;
    }

    private static boolean isOpenMap(JsonNode schema) {
        return schema.path("type").asText().equals("object")
                && schema.path("additionalProperties").isObject()
                && !schema.has("properties");
    }

    private @Nullable SchemaViolation array(Place place) {
        var items = place.schema.get("items");
        if (items == null) {
            return SchemaViolation.in(place.context, "array schema missing items.");
        }
        if (items.isArray()) {
            return SchemaViolation.in(
                    place.context.then("items"), PythonText.repr(items) + " is not of type 'object', 'boolean'.");
        }
        open.add(new Place(items, place.context.then("items")));
        return null;
    }

    private static @Nullable SchemaViolation string(Place place) {
        var format = place.schema.get("format");
        return format == null || FORMATS.contains(format.asText())
                ? null
                : SchemaViolation.in(place.context, PythonText.repr(format) + " is not a valid format.");
    }

    /// A member of `enum` that the type forbids is a mistake that strict mode tells.
    private static @Nullable SchemaViolation values(Place place) {
        var types = place.schema.path("type");
        if (types.isMissingNode()) {
            return null;
        }
        for (var value : place.schema.path("enum")) {
            boolean fits = types.isArray()
                    ? types.valueStream().anyMatch(type -> isOfType(value, type.asText()))
                    : isOfType(value, types.asText());
            if (!fits) {
                return SchemaViolation.at(
                        place.context,
                        "enum value " + PythonText.str(value) + " does not validate against {'type': "
                                + PythonText.repr(types) + "}.");
            }
        }
        return null;
    }

    private static boolean isOfType(JsonNode value, String type) {
        return switch (type) {
            case "string" -> value.isTextual();
            case "number" -> value.isNumber();
            case "integer" -> KeywordForm.isWhole(value);
            case "boolean" -> value.isBoolean();
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            default -> value.isNull();
        };
    }
}
