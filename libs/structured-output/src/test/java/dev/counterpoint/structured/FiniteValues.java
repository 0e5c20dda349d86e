package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// All values that fit a schema that allows only a few, found without the compiler: what its keywords suggest, as
/// far as a validator agrees.
final class FiniteValues {
    private static final int VALUES_MAX = 3000;
    private static final int DEPTH_MAX = 12;
    private static final Set<String> TYPES =
            Set.of("array", "boolean", "integer", "null", "number", "object", "string");
    /// Every string that a finite pattern of the generator matches, and some more.
    private static final List<String> STRINGS = List.of(
            "", "a", "b", "c", "aa", "ab", "ba", "bb", "abb", "abbb", "bc", "ac", "abc", "red", "re", "green", "ja",
            "nein", "é", "éü", "éö", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9");

    private final JsonNode root;

    private FiniteValues(JsonNode root) {
        this.root = root;
    }

    /// The schema allows too many values, or not for the reasons known here.
    private static final class ManyException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ManyException() {
            super("many", null, false, false);
        }
    }

    /// Nothing when the schema allows too many.
    static Optional<List<JsonNode>> of(JsonNode schema) {
        try {
            var validator = new SchemaValidator(schema);
            var fitting = new FiniteValues(schema)
                    .candidates(schema, 0).stream()
                            .filter(value -> CompactTexts.of(value).stream().allMatch(validator::accepts))
                            .toList();
            return Optional.of(fitting);
        } catch (ManyException _) {
            return Optional.empty();
        }
    }

    private List<JsonNode> candidates(JsonNode schema, int depth) {
        if (depth > DEPTH_MAX) {
            throw new ManyException();
        }
        var found = new LinkedHashMap<String, JsonNode>();
        for (var parts : alternatives(schema, depth)) {
            for (var value : together(parts, depth)) {
                found.put(value.toString(), value);
            }
            checkSize(found.size());
        }
        return List.copyOf(found.values());
    }

    private static void checkSize(long size) {
        if (size > VALUES_MAX) {
            throw new ManyException();
        }
    }

    /// The schemas that a value must fit all, for each way through the choices of a schema. The order of the parts
    /// is the order of the properties in a text.
    private List<List<JsonNode>> alternatives(JsonNode schema, int depth) {
        if (depth > DEPTH_MAX) {
            throw new ManyException();
        }
        List<List<JsonNode>> all = List.of(List.of(schema));
        for (var part : schema.path("allOf")) {
            all = combined(all, alternatives(part, depth + 1));
        }
        if (schema.has("$ref")) {
            all = combined(all, alternatives(target(schema.path("$ref").asText()), depth + 1));
        }
        for (var keyword : List.of("anyOf", "oneOf")) {
            if (schema.has(keyword)) {
                var branches = new ArrayList<List<JsonNode>>();
                schema.path(keyword).forEach(branch -> branches.addAll(alternatives(branch, depth + 1)));
                all = combined(all, branches);
            }
        }
        return all;
    }

    private JsonNode target(String reference) {
        return root.at(reference.substring(1));
    }

    private static List<List<JsonNode>> combined(List<List<JsonNode>> first, List<List<JsonNode>> then) {
        checkSize((long) first.size() * then.size());
        var all = new ArrayList<List<JsonNode>>();
        for (var one : first) {
            for (var other : then) {
                var both = new ArrayList<>(one);
                both.addAll(other);
                all.add(both);
            }
        }
        return all;
    }

    private List<JsonNode> together(List<JsonNode> parts, int depth) {
        if (parts.stream().anyMatch(part -> part.isBoolean() && !part.asBoolean())) {
            return List.of();
        }
        for (var part : parts) {
            if (part.has("const")) {
                return List.of(part.path("const"));
            }
            if (part.has("enum")) {
                return listed(part.path("enum"));
            }
        }
        var values = new ArrayList<JsonNode>();
        for (var type : types(parts)) {
            values.addAll(
                    switch (type) {
                        case "null" -> List.of(SchemaDice.none());
                        case "boolean" -> List.of(SchemaDice.bool(false), SchemaDice.bool(true));
                        case "integer" -> integers(parts);
                        case "string" -> strings(parts);
                        case "array" -> new FiniteMembers(parts, one -> candidates(one, depth + 1)).arrays();
                        case "object" -> new FiniteMembers(parts, one -> candidates(one, depth + 1)).objects();
                        default -> throw new ManyException();
                    });
        }
        return values;
    }

    private static List<JsonNode> listed(JsonNode array) {
        var values = new ArrayList<JsonNode>();
        array.forEach(values::add);
        return values;
    }

    private static Set<String> types(List<JsonNode> parts) {
        Set<String> types = new TreeSet<>(TYPES);
        for (var part : parts) {
            var type = part.path("type");
            if (type.isTextual()) {
                types.retainAll(Set.of(type.asText()));
            } else if (type.isArray()) {
                types.retainAll(listed(type).stream().map(JsonNode::asText).toList());
            }
        }
        return types;
    }

    private static List<JsonNode> integers(List<JsonNode> parts) {
        long low = bound(parts, Map.of("minimum", 0, "exclusiveMinimum", 1), true);
        long high = bound(parts, Map.of("maximum", 0, "exclusiveMaximum", -1), false);
        checkSize(high - low);
        var values = new ArrayList<JsonNode>();
        for (long value = low; value <= high; value++) {
            values.add(SchemaDice.number(value));
            if (value == 0) {
                values.add(DoubleNode.valueOf(-0.0));
            }
        }
        return values;
    }

    private static long bound(List<JsonNode> parts, Map<String, Integer> keywords, boolean lower) {
        var bounds = parts.stream()
                .flatMap(part -> keywords.entrySet().stream()
                        .filter(one -> part.has(one.getKey()))
                        .map(one -> part.path(one.getKey()).asLong() + one.getValue()))
                .toList();
        return (lower ? bounds.stream().max(Long::compare) : bounds.stream().min(Long::compare))
                .orElseThrow(ManyException::new);
    }

    private static List<JsonNode> strings(List<JsonNode> parts) {
        var pattern = parts.stream()
                .map(part -> part.path("pattern").asText())
                .filter(RandomScalarSchema.FINITE_PATTERNS::contains)
                .findFirst()
                .orElseThrow(ManyException::new);
        var compiled = Pattern.compile(pattern);
        return STRINGS.stream()
                .filter(text -> compiled.matcher(text).find())
                .map(SchemaDice::text)
                .toList();
    }

    /// A value of one member more.
    static ObjectNode plus(ObjectNode object, String name, JsonNode value) {
        var more = object.deepCopy();
        more.set(name, value);
        return more;
    }

    static void check(long size, boolean finite) {
        checkSize(size);
        if (!finite) {
            throw new ManyException();
        }
    }
}
