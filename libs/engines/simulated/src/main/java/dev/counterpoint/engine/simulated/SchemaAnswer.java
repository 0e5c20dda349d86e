package dev.counterpoint.engine.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Fills a JSON schema with values from the prompt; a value that the prompt does not have is empty. Whatever the schema
/// asks for, the work ends when the budget of visits and characters is spent: the rest is null.
final class SchemaAnswer {
    static final int VISITS_MAX = 1_000;
    static final int CHARACTERS_MAX = 20_000;
    private static final int DEPTH_MAX = 12;
    private static final int ITEMS_MAX = 8;
    private static final int VARIANTS_MAX = 8;
    private static final int CHOICES_MAX = 200;
    private static final int REFERENCE_MAX = 200;
    private static final Pattern PART_END = Pattern.compile("[.;!?\\n](?: |$)|\\n| and (?=\\p{Lu})");
    private static final JsonNode NULL = JsonNodeFactory.instance.nullNode();
    private static final Set<String> RESULTS =
            PromptWords.stems("answer result solution output value response reply summary explanation sum total");

    private final JsonNode root;
    private final SkillAnswer inWords;
    private final String text;
    private final PromptValues values;
    private int visits = VISITS_MAX;
    private int characters = CHARACTERS_MAX;
    private int numbersUsed;

    private SchemaAnswer(JsonNode root, String text, SkillAnswer inWords) {
        this.root = root;
        this.text = text;
        this.values = new PromptValues(text);
        this.inWords = inWords;
    }

    /// @param inWords the answer without a schema
    static SkillAnswer of(JsonNode schema, PromptContent prompt, SkillAnswer inWords) {
        var filler = new SchemaAnswer(schema, lines(prompt) + prompt.question(), inWords);
        var found = filler.find(schema, "", 0);
        var value = found == null ? filler.empty(schema, 0) : found;
        var whole = value.isObject() && value.isEmpty() && !schema.has("properties")
                ? JsonNodeFactory.instance.objectNode().put("answer", inWords.essence())
                : value;
        var thoughts = new ArrayList<>(List.of("The answer has to be JSON in the form that was given."));
        thoughts.addAll(inWords.thoughts());
        thoughts.add("I copy the values from the prompt and invent none.");
        return SkillAnswer.say(thoughts, PromptWords.toJson(whole), inWords.essence());
    }

    /// The value that the prompt has for this part of the schema, or null.
    private @Nullable JsonNode find(JsonNode given, String name, int depth) {
        var schema = resolved(given);
        if (schema == null || spent(depth)) {
            return null;
        }
        if (schema.has("const")) {
            return paid(schema.get("const"));
        }
        if (schema.get("enum") instanceof ArrayNode choices) {
            return choice(choices);
        }
        for (var variant : variants(schema)) {
            var found = find(variant, name, depth + 1);
            if (found != null) {
                return found;
            }
        }
        return switch (type(schema)) {
            case "string" -> string(schema, name);
            case "integer", "number" -> number(name, type(schema).equals("integer"));
            case "boolean" -> {
                var truth = values.truth(name);
                yield truth == null ? null : JsonNodeFactory.instance.booleanNode(truth);
            }
            case "array" -> list(schema, name, depth);
            case "object" -> {
                var object = object(schema, depth);
                yield object.isEmpty() ? null : object;
            }
            default -> null;
        };
    }

    /// A value of the right form where the prompt has none.
    private JsonNode empty(JsonNode given, int depth) {
        var schema = resolved(given);
        if (schema == null || spent(depth)) {
            return NULL;
        }
        if (schema.has("const") || schema.path("enum").has(0)) {
            return paid(
                    schema.has("const")
                            ? schema.get("const")
                            : schema.path("enum").get(0));
        }
        var variants = variants(schema);
        for (var variant : variants) {
            if (variant.path("type").asText().equals("null")) {
                return NULL;
            }
        }
        if (!variants.isEmpty()) {
            return empty(variants.getFirst(), depth + 1);
        }
        return switch (type(schema)) {
            case "string" ->
                JsonNodeFactory.instance.textNode(
                        emptyText(schema.path("format").asText()));
            case "integer", "number" ->
                JsonNodeFactory.instance.numberNode(
                        (long) Math.ceil(Math.max(0, schema.path("minimum").asDouble(0))));
            case "boolean" -> JsonNodeFactory.instance.booleanNode(false);
            case "array" -> padded(JsonNodeFactory.instance.arrayNode(), schema, depth);
            case "object" -> object(schema, depth);
            default -> NULL;
        };
    }

    private boolean spent(int depth) {
        return visits-- <= 0 || characters <= 0 || depth > DEPTH_MAX;
    }

    /// A copy of a value in the schema, as long as the budget lasts.
    private JsonNode paid(JsonNode value) {
        characters -= PromptWords.toJson(value).length();
        return characters < 0 ? NULL : value;
    }

    private @Nullable JsonNode resolved(JsonNode schema) {
        var reference = schema.path("$ref").asText("");
        if (reference.isEmpty()) {
            return schema.isObject() ? schema : null;
        }
        boolean readable = reference.length() <= REFERENCE_MAX && (reference.startsWith("#/") || reference.equals("#"));
        var target = readable ? root.at(reference.substring(1)) : NULL;
        // A reference to a reference is not followed: such a chain may be a circle.
        return target.isObject() && !target.has("$ref") ? target : null;
    }

    private static String type(JsonNode schema) {
        return schema.path("type").asText(schema.has("properties") ? "object" : "any");
    }

    /// The forms of `anyOf` and its like, and of a list of types.
    private static List<JsonNode> variants(JsonNode schema) {
        var variants = new ArrayList<JsonNode>();
        for (var union : List.of("anyOf", "oneOf", "allOf")) {
            for (int i = 0; i < Math.min(VARIANTS_MAX, schema.path(union).size()); i++) {
                variants.add(schema.path(union).get(i));
            }
        }
        var types = schema.path("type");
        for (int i = 0; types.isArray() && i < Math.min(VARIANTS_MAX, types.size()); i++) {
            ObjectNode one = JsonNodeFactory.instance.objectNode();
            schema.properties().forEach(member -> one.set(member.getKey(), member.getValue()));
            variants.add(one.set("type", types.get(i)));
        }
        return variants;
    }

    private @Nullable JsonNode choice(ArrayNode choices) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < Math.min(CHOICES_MAX, choices.size()); i++) {
            texts.add(choices.get(i).asText());
        }
        var named = values.named(texts);
        return named == null ? null : paid(choices.get(texts.indexOf(named)));
    }

    private @Nullable JsonNode string(JsonNode schema, String name) {
        var format = schema.path("format").asText();
        if (Set.of("email", "date").contains(format)) {
            return text(values.text(format, ""));
        }
        if (!format.isEmpty()) {
            return null;
        }
        var found = values.text(name, schema.path("description").asText());
        return text(found == null && isResult(name) ? inWords.essence() : found);
    }

    private @Nullable JsonNode text(@Nullable String text) {
        return text == null ? null : paid(JsonNodeFactory.instance.textNode(text));
    }

    private static boolean isResult(String name) {
        return PromptWords.stems(PromptWords.ofIdentifier(name)).stream().anyMatch(RESULTS::contains);
    }

    private static String emptyText(String format) {
        return switch (format) {
            case "email" -> "unknown@example.com";
            case "date" -> "1970-01-01";
            case "date-time" -> "1970-01-01T00:00:00Z";
            case "time" -> "00:00:00Z";
            case "uri" -> "https://example.com/";
            case "uuid" -> "00000000-0000-0000-0000-000000000000";
            default -> "unknown";
        };
    }

    private @Nullable JsonNode number(String name, boolean whole) {
        var beside = values.number(name);
        var result = beside == null && isResult(name) ? PromptWords.number(inWords.essence()) : beside;
        var numbers = values.numbers();
        if (result == null && numbersUsed < numbers.size()) {
            result = numbers.get(numbersUsed++);
        }
        return result == null ? null : node(result, whole);
    }

    private static JsonNode node(BigDecimal number, boolean whole) {
        return whole || number.stripTrailingZeros().scale() <= 0
                ? JsonNodeFactory.instance.numberNode(number.toBigInteger())
                : JsonNodeFactory.instance.numberNode(number);
    }

    private @Nullable JsonNode list(JsonNode schema, String name, int depth) {
        var items = resolved(schema.path("items"));
        var list = JsonNodeFactory.instance.arrayNode();
        switch (items == null ? "any" : type(items)) {
            case "object" -> objects(list, schema.path("items"), depth);
            case "integer", "number" ->
                values.numbers().stream().limit(ITEMS_MAX).forEach(number -> list.add(node(number, false)));
            case "string" ->
                values.list(name).stream()
                        .limit(ITEMS_MAX)
                        .forEach(entry -> list.add(paid(JsonNodeFactory.instance.textNode(entry))));
            default -> {}
        }
        while (list.size() > schema.path("maxItems").asInt(ITEMS_MAX)) {
            list.remove(list.size() - 1);
        }
        return list.isEmpty() ? null : padded(list, schema, depth);
    }

    /// One object for each part of the text that says something of its own.
    private void objects(ArrayNode list, JsonNode items, int depth) {
        for (var part : PART_END.splitAsStream(text)
                .filter(each -> !each.isBlank())
                .limit(ITEMS_MAX)
                .toList()) {
            var filler = new SchemaAnswer(root, part, inWords);
            filler.visits = visits;
            filler.characters = characters;
            var found = filler.find(items, "", depth + 1);
            visits = filler.visits;
            characters = filler.characters;
            if (found != null) {
                list.add(found);
            }
        }
    }

    private ArrayNode padded(ArrayNode list, JsonNode schema, int depth) {
        int least = Math.min(ITEMS_MAX, schema.path("minItems").asInt(0));
        while (list.size() < least) {
            list.add(empty(schema.path("items"), depth + 1));
        }
        return list;
    }

    private ObjectNode object(JsonNode schema, int depth) {
        var object = JsonNodeFactory.instance.objectNode();
        var required = new ArrayList<String>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (var property : schema.path("properties").properties()) {
            if (visits <= 0) {
                break;
            }
            var found = find(property.getValue(), property.getKey(), depth + 1);
            if (found != null) {
                object.set(property.getKey(), found);
            } else if (required.contains(property.getKey())) {
                object.set(property.getKey(), empty(property.getValue(), depth + 1));
            }
        }
        return object;
    }

    /// Results of tools as `key: value` lines, so that values can be copied by name.
    private static String lines(PromptContent prompt) {
        var lines = new StringBuilder();
        for (var call : PromptContent.calls(prompt.openTurn())) {
            for (var member :
                    ToolSkills.tree(call.result() == null ? "" : call.result()).properties()) {
                if (lines.length() < PromptContent.READ_MAX) {
                    lines.append(member.getKey())
                            .append(": ")
                            .append(ToolSkills.told(member.getValue(), 1))
                            .append('\n');
                }
            }
        }
        return lines.toString();
    }
}
