package dev.counterpoint.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The parameters of a function in the keywords that Harmony's notation writes. It has none for `$ref`, `allOf`,
/// `anyOf`, `const` and values that are not text, and would show the model `any`. Everything else stays as it is.
final class ToolSchema {
    /// Of all that is written once more in one schema; what is left stays `any`.
    private static final int REPEATED_CHARACTERS_MAX = 65_536;
    /// Schemas deeper than this stay as they are.
    private static final int DEPTH_MAX = 200;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> BESIDE = List.of("type", "properties", "required", "items");
    private static final List<String> SHAPES =
            List.of("type", "properties", "items", "enum", "const", "$ref", "allOf", "anyOf", "oneOf");

    private final JsonNode root;
    /// References that lead to what is being written.
    private final Set<String> open = new HashSet<>(Set.of("#"));

    private int repeated;
    private int depth;

    private ToolSchema(JsonNode root) {
        this.root = root;
    }

    static JsonNode writable(JsonNode schema) {
        return new ToolSchema(schema).resolved(schema);
    }

    private JsonNode resolved(JsonNode schema) {
        if (!schema.isObject() || depth == DEPTH_MAX) {
            return schema;
        }
        depth++;
        var followed = new ArrayList<String>();
        var flat = NODES.objectNode();
        add(schema, flat, followed);
        unite(flat, followed);
        nameValues(flat);
        if (flat.get("properties") instanceof ObjectNode all) {
            all.properties().forEach(one -> one.setValue(resolved(one.getValue())));
        }
        if (flat.get("items") instanceof ObjectNode items) {
            flat.set("items", resolved(items));
        }
        if (flat.get("oneOf") instanceof ArrayNode variants) {
            var written = flat.putArray("oneOf");
            variants.forEach(variant -> written.add(resolved(variant)));
        }
        followed.forEach(open::remove);
        depth--;
        return flat;
    }

    /// Adds the keywords of a schema, of its references and of its `allOf`. An earlier value wins.
    private void add(JsonNode schema, ObjectNode flat, List<String> followed) {
        for (var member : schema.properties()) {
            var value = member.getValue();
            switch (member.getKey()) {
                case "$ref", "allOf" -> {}
                case "properties" -> value.properties().forEach(one -> addProperty(flat, one.getKey(), one.getValue()));
                case "required" -> value.forEach(flat.withArray("required")::add);
                default -> flat.putIfAbsent(member.getKey(), value);
            }
        }
        if (depth < DEPTH_MAX) {
            depth++;
            follow(schema.path("$ref").asText(), flat, followed);
            schema.path("allOf").forEach(part -> add(part, flat, followed));
            depth--;
        }
    }

    private static void addProperty(ObjectNode flat, String name, JsonNode schema) {
        var properties = flat.withObject("/properties");
        var before = properties.get(name);
        properties.set(name, before == null ? schema : both(before, schema));
    }

    private static ObjectNode both(JsonNode first, JsonNode second) {
        var both = NODES.objectNode();
        both.putArray("allOf").add(first).add(second);
        return both;
    }

    private void follow(String reference, ObjectNode flat, List<String> followed) {
        var target = reference.matches("#(/.*)?") ? root.at(pointer(reference)) : NODES.missingNode();
        if (target.isObject() && mayRepeat(target, 1) && open.add(reference)) {
            followed.add(reference);
            add(target, flat, followed);
        }
    }

    private static String pointer(String reference) {
        try {
            return URLDecoder.decode(reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            // A percent sign that starts no escape is part of the name.
            return reference.substring(1);
        }
    }

    /// The first that is too long is the last.
    private boolean mayRepeat(JsonNode schema, int times) {
        if (repeated <= REPEATED_CHARACTERS_MAX) {
            repeated = (int) Math.min((long) repeated + (long) schema.toString().length() * times, Integer.MAX_VALUE);
        }
        return repeated <= REPEATED_CHARACTERS_MAX;
    }

    /// Writes `anyOf` as `oneOf`, each variant with what is said beside them, and `null` as a word.
    private void unite(ObjectNode flat, List<String> followed) {
        var variants = new ArrayList<JsonNode>();
        flat.path("anyOf").forEach(variants::add);
        flat.remove("anyOf");
        // Variants without a shape only say which properties must be there together.
        if (flat.has("oneOf")
                || variants.stream().noneMatch(one -> SHAPES.stream().anyMatch(one::has))) {
            return;
        }
        boolean nullable = variants.removeIf(one -> one.path("type").asText().equals("null"));
        if (variants.size() == 1) {
            add(variants.getFirst(), flat, followed);
            unite(flat, followed);
            if (nullable) {
                orNull(flat);
            }
            return;
        }
        var beside = NODES.objectNode();
        BESIDE.stream().filter(flat::has).forEach(shape -> beside.set(shape, flat.remove(shape)));
        boolean shared = !beside.isEmpty() && mayRepeat(beside, variants.size());
        var written = flat.putArray("oneOf");
        variants.forEach(variant -> written.add(shared ? both(variant, beside) : variant));
        if (nullable) {
            written.addObject().putArray("type").add("null");
        }
    }

    /// The notation has two places for null: among the names of plain types, and behind any other type.
    private static void orNull(ObjectNode flat) {
        var type = flat.path("type").asText();
        if (List.of("string", "number", "integer", "boolean").contains(type)
                && !flat.has("enum")
                && !flat.has("const")) {
            flat.putArray("type").add(type).add("null");
        } else {
            flat.put("nullable", true);
        }
    }

    /// Writes values that are not all texts as names of types, which are written as they are.
    private static void nameValues(ObjectNode flat) {
        boolean texts = !flat.has("const") && flat.path("type").asText().equals("string");
        var values = flat.has("const") ? NODES.arrayNode().add(flat.remove("const")) : flat.path("enum");
        if (texts || values.isEmpty()) {
            return;
        }
        if (values.valueStream().allMatch(JsonNode::isTextual)) {
            flat.put("type", "string").set("enum", values);
        } else {
            flat.remove("enum");
            var names = flat.putArray("type");
            values.forEach(value -> names.add(value.toString()));
        }
    }
}
