package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// Makes JSON schemas: sound ones, and such with every keyword of the wrong kind.
final class SchemaMaker {
    private static final List<String> TYPES = List.of(
            "object", "object", "object", "string", "string", "string", "number", "integer", "boolean", "array",
            "array", "null", "any", "Integer", "");
    private static final List<String> KEYS =
            List.of("a", "b", "c", "location", "unit", "a-b", "a b", "", "\"", "é", "💖", "x\ny", "$ref", "1");
    /// Few, so that two of them are often the same.
    private static final List<String> NOTES = List.of(
            "A note",
            "A note",
            "Another",
            "null",
            "",
            "two\nlines",
            "three\r\nlines\n\n",
            " \t",
            "with \"quotes\" \\ // x");

    private final Dice dice;

    private SchemaMaker(Dice dice) {
        this.dice = dice;
    }

    /// The parameters of a function: an object as a rule.
    static JsonNode parameters(Dice dice) {
        var maker = new SchemaMaker(dice);
        var schema = maker.schema(dice.between(1, 4));
        if (schema instanceof ObjectNode object && dice.percent(80)) {
            object.put("type", "object");
            if (dice.percent(90)) {
                object.remove("oneOf");
            }
        }
        return schema;
    }

    private JsonNode schema(int depth) {
        if (dice.percent(3)) {
            return JsonMaker.value(dice, 2);
        }
        var keywords = new ArrayList<Runnable>();
        var schema = JsonMaker.JSON.objectNode();
        addType(keywords, schema, depth);
        perhaps(keywords, 35, () -> schema.set("description", note()));
        perhaps(keywords, 15, () -> schema.set("title", note()));
        perhaps(keywords, 15, () -> schema.set("examples", list(3, () -> JsonMaker.value(dice, 1))));
        perhaps(
                keywords,
                30,
                () -> schema.set("default", dice.percent(10) ? JsonMaker.numbers(dice) : JsonMaker.value(dice, 2)));
        perhaps(keywords, 20, () -> schema.set("enum", list(4, () -> JsonMaker.value(dice, 1))));
        perhaps(keywords, 20, () -> schema.set("nullable", wrongOr(4, JsonMaker.JSON.booleanNode(dice.toss()))));
        perhaps(
                keywords,
                5,
                () -> schema.set(
                        dice.of(List.of(
                                "$ref", "anyOf", "allOf", "const", "format", "minimum", "additionalProperties")),
                        JsonMaker.value(dice, 2)));
        if (depth > 0) {
            perhaps(keywords, 18, () -> schema.set("oneOf", list(4, () -> schema(depth - 1))));
        }
        Collections.shuffle(keywords, new Random(dice.bits()));
        keywords.forEach(Runnable::run);
        return schema;
    }

    private void perhaps(List<Runnable> keywords, int chance, Runnable keyword) {
        if (dice.percent(chance)) {
            keywords.add(keyword);
        }
    }

    private void addType(List<Runnable> keywords, ObjectNode schema, int depth) {
        var type = depth > 0 ? dice.of(TYPES) : dice.of(TYPES.subList(3, TYPES.size()));
        int kind = dice.below(100);
        if (kind < 82) {
            keywords.add(() -> schema.set("type", JsonMaker.JSON.textNode(type)));
        } else if (kind < 94) {
            keywords.add(() -> schema.set("type", list(3, () -> wrongOr(10, JsonMaker.JSON.textNode(dice.of(TYPES))))));
        } else if (kind < 96) {
            keywords.add(() -> schema.set("type", JsonMaker.value(dice, 1)));
        }
        if (type.equals("object") || dice.percent(3)) {
            keywords.add(() -> schema.set("properties", wrongOr(2, properties(depth))));
            perhaps(
                    keywords,
                    60,
                    () -> schema.set("required", list(5, () -> wrongOr(5, JsonMaker.JSON.textNode(key())))));
        }
        if (type.equals("array") ? dice.percent(85) : dice.percent(3)) {
            keywords.add(() -> schema.set("items", wrongOr(3, schema(Math.max(0, depth - 1)))));
        }
    }

    private JsonNode properties(int depth) {
        var properties = JsonMaker.JSON.objectNode();
        for (int i = dice.below(5); i > 0; i--) {
            properties.set(key(), schema(Math.max(0, depth - 1)));
        }
        return properties;
    }

    private String key() {
        return dice.percent(92) ? dice.of(KEYS) : TextMaker.word(dice);
    }

    private JsonNode note() {
        return wrongOr(4, JsonMaker.JSON.textNode(dice.percent(70) ? dice.of(NOTES) : TextMaker.text(dice, 4)));
    }

    /// Now and then something that this keyword does not take.
    private JsonNode wrongOr(int chance, JsonNode right) {
        return dice.percent(chance) ? JsonMaker.value(dice, 1) : right;
    }

    private JsonNode list(int lengthMax, Supplier<JsonNode> item) {
        ArrayNode list = JsonMaker.JSON.arrayNode();
        for (int i = dice.between(0, lengthMax); i > 0; i--) {
            list.add(item.get());
        }
        return wrongOr(4, list);
    }
}
