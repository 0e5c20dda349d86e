package dev.counterpoint.structured.strict;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether a value is a JSON schema at all: every keyword's value has the form that its draft gives it. Takes the
/// spellings of draft 4 to 2020-12. The sentences are those of Python's `jsonschema`, by which OpenAI refuses any
/// function whose parameters are none, strict or not.
///
/// Walks breadth first without recursion, so that the shallowest violation is told and depth costs no stack.
public final class SchemaSyntax {
    private static final JsonNode MISSING = JsonNodeFactory.instance.missingNode();

    /// The forms that values of keywords have.
    private static final Map<String, KeywordForm> FORMS = Map.ofEntries(
            Map.entry("type", KeywordForm.TYPE),
            Map.entry("enum", KeywordForm.LIST),
            Map.entry("required", KeywordForm.NAMES),
            Map.entry("properties", KeywordForm.SCHEMA_MAP),
            Map.entry("patternProperties", KeywordForm.SCHEMA_MAP),
            Map.entry("dependentSchemas", KeywordForm.SCHEMA_MAP),
            Map.entry("$defs", KeywordForm.SCHEMA_MAP),
            Map.entry("definitions", KeywordForm.SCHEMA_MAP),
            Map.entry("dependentRequired", KeywordForm.NAMES_MAP),
            Map.entry("dependencies", KeywordForm.DEPENDENCIES),
            Map.entry("items", KeywordForm.SCHEMA_OR_SCHEMAS),
            Map.entry("prefixItems", KeywordForm.SCHEMAS),
            Map.entry("anyOf", KeywordForm.SCHEMAS),
            Map.entry("oneOf", KeywordForm.SCHEMAS),
            Map.entry("allOf", KeywordForm.SCHEMAS),
            Map.entry("not", KeywordForm.SCHEMA),
            Map.entry("if", KeywordForm.SCHEMA),
            Map.entry("then", KeywordForm.SCHEMA),
            Map.entry("else", KeywordForm.SCHEMA),
            Map.entry("contains", KeywordForm.SCHEMA),
            Map.entry("propertyNames", KeywordForm.SCHEMA),
            Map.entry("additionalItems", KeywordForm.SCHEMA),
            Map.entry("additionalProperties", KeywordForm.SCHEMA),
            Map.entry("unevaluatedItems", KeywordForm.SCHEMA),
            Map.entry("unevaluatedProperties", KeywordForm.SCHEMA),
            Map.entry("minLength", KeywordForm.COUNT),
            Map.entry("maxLength", KeywordForm.COUNT),
            Map.entry("minItems", KeywordForm.COUNT),
            Map.entry("maxItems", KeywordForm.COUNT),
            Map.entry("minProperties", KeywordForm.COUNT),
            Map.entry("maxProperties", KeywordForm.COUNT),
            Map.entry("minContains", KeywordForm.COUNT),
            Map.entry("maxContains", KeywordForm.COUNT),
            Map.entry("minimum", KeywordForm.NUMBER),
            Map.entry("maximum", KeywordForm.NUMBER),
            Map.entry("exclusiveMinimum", KeywordForm.NUMBER_OR_FLAG),
            Map.entry("exclusiveMaximum", KeywordForm.NUMBER_OR_FLAG),
            Map.entry("multipleOf", KeywordForm.POSITIVE),
            Map.entry("uniqueItems", KeywordForm.FLAG),
            Map.entry("pattern", KeywordForm.TEXT),
            Map.entry("format", KeywordForm.TEXT),
            Map.entry("$ref", KeywordForm.TEXT));

    private final ArrayDeque<Place> open = new ArrayDeque<>();

    private SchemaSyntax() {}

    private record Place(JsonNode schema, SchemaContext context) {}

    /// The first keyword whose value no draft allows; the context ends with it.
    public static Optional<SchemaViolation> violation(JsonNode schema) {
        return Optional.ofNullable(new SchemaSyntax().walk(schema));
    }

    /// As [#violation] for the parameters of a function, which are members of an object: a root of another type is
    /// refused whether or not the function is strict. A root without type passes.
    public static Optional<SchemaViolation> violationOfParameters(JsonNode schema) {
        var type = schema.path("type");
        boolean object = type.isMissingNode()
                || type.asText().equals("object")
                || type.valueStream().anyMatch(name -> name.asText().equals("object"));
        return violation(schema).or(() -> object ? Optional.empty() : Optional.of(notAnObject(schema)));
    }

    static SchemaViolation notAnObject(JsonNode schema) {
        var type = schema.isObject() ? schema.path("type") : MISSING;
        return new SchemaViolation(
                "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"" + PythonText.str(type) + "\"'.");
    }

    private @Nullable SchemaViolation walk(JsonNode root) {
        open.add(new Place(root, SchemaContext.ROOT));
        while (!open.isEmpty()) {
            var place = open.remove();
            if (!place.schema.isObject() && !place.schema.isBoolean()) {
                return SchemaViolation.in(
                        place.context, PythonText.repr(place.schema) + " is not of type 'object', 'boolean'.");
            }
            for (var member : place.schema.properties()) {
                var form = FORMS.get(member.getKey());
                if (form == null) {
                    continue;
                }
                var context = place.context.then(member.getKey());
                var fault = form.fault(member.getValue());
                if (fault != null) {
                    return SchemaViolation.in(context, fault + ".");
                }
                add(form, member.getValue(), context);
            }
        }
        return null;
    }

    /// Adds the schemas in a keyword's value, whose form is right.
    private void add(KeywordForm form, JsonNode value, SchemaContext context) {
        switch (form) {
            case SCHEMA -> open.add(new Place(value, context));
            case SCHEMAS -> addAll(value, context);
            case SCHEMA_OR_SCHEMAS -> {
                if (value.isArray()) {
                    addAll(value, context);
                } else {
                    open.add(new Place(value, context));
                }
            }
            case SCHEMA_MAP ->
                value.properties()
                        .forEach(member -> open.add(new Place(member.getValue(), context.then(member.getKey()))));
            case DEPENDENCIES ->
                value.properties().stream()
                        .filter(member -> !member.getValue().isArray())
                        .forEach(member -> open.add(new Place(member.getValue(), context.then(member.getKey()))));
            case TYPE, LIST, NAMES, NAMES_MAP, COUNT, NUMBER, NUMBER_OR_FLAG, POSITIVE, FLAG, TEXT -> {}
        }
    }

    private void addAll(JsonNode schemas, SchemaContext context) {
        for (int i = 0; i < schemas.size(); i++) {
            open.add(new Place(schemas.get(i), context.then(Integer.toString(i))));
        }
    }
}
