package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Schemas made to cost much.
final class HostileSchemas {
    private HostileSchemas() {}

    record Hostile(String name, JsonNode schema) {}

    static List<Hostile> all() {
        return List.of(
                hostile("nested 5,000 times", nested(5000, inner -> object("items", inner))),
                hostile("objects nested 3,000 times", nested(3000, inner -> object("properties", object("a", inner)))),
                hostile("not of not, 3,000 times", nested(3000, inner -> object("not", inner))),
                hostile("anyOf in anyOf, 20 deep", nested(20, inner -> many("anyOf", 2, _ -> inner))),
                hostile("oneOf in oneOf, 12 deep", nested(12, inner -> many("oneOf", 3, i -> tagged(i, inner)))),
                hostile("allOf of 20 anyOf", many("allOf", 20, i -> many("anyOf", 3, j -> patterned(i, j)))),
                hostile("oneOf of 500 overlapping objects", many("oneOf", 500, i -> requiring("p" + i))),
                hostile("if in then, 200 deep", nested(200, HostileSchemas::conditional)),
                hostile("not of 300 patterns", object("not", many("anyOf", 300, i -> patterned(i, i)))),
                hostile("catastrophic pattern", string("pattern", "^(a+)+(b|c?)*(a|aa)+$")),
                hostile("exponential pattern", string("pattern", "^.*a.{60}$")),
                hostile("pattern that counts", string("pattern", "^((a{1,1000}){1,1000}){1,1000}$")),
                hostile(
                        "pattern with look-ahead of look-ahead",
                        string("pattern", "^(?=(?=.*a)(?!.*b.{30}))(?=.*c.{40}).*$")),
                hostile(
                        "patterns that exclude one another",
                        many("allOf", 30, i -> string("pattern", ".*" + i + ".{" + i + "}"))),
                hostile("huge lengths", string("maxLength", 2_000_000_000).put("minLength", 1_999_999_999)),
                hostile("huge pattern lengths", string("pattern", "^[a-z]{1000000,2000000}$")),
                hostile(
                        "huge list lengths",
                        object("items", object("type", "string")).put("minItems", 1_000_000)),
                hostile("huge number of properties", SchemaDice.object().put("minProperties", 1_000_000_000)),
                hostile("huge multiple", SchemaDice.object().put("multipleOf", 123_456_789_123L)),
                hostile("tiny multiple", SchemaDice.object().put("multipleOf", 1e-300)),
                hostile("huge exponent", SchemaDice.object().set("const", SchemaCase.parsed("1e1000000000"))),
                hostile("huge range", SchemaCase.parsed("{\"type\":\"number\",\"minimum\":1e-400,\"maximum\":1e400}")),
                hostile("a reference to itself", object("$ref", "#")),
                hostile(
                        "references in a circle",
                        SchemaCase.parsed("{\"$ref\":\"#/$defs/a\","
                                + "\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}")),
                hostile(
                        "never ends",
                        SchemaCase.parsed(
                                "{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"required\":[\"a\"],\"type\":\"object\"}")),
                hostile("references that double, 60 deep", doubling(60)),
                hostile("20,000 optional properties", properties(20_000, false)),
                hostile(
                        "2,000 properties, any 1,000 of them",
                        properties(2_000, false).put("minProperties", 1000)),
                hostile("2,000 patterns of names", patternNames(2_000)),
                hostile("an enum of 10 MB", bigEnum(100_000, 100)),
                hostile("an enum of one text of 10 MB", bigEnum(1, 10_000_000)),
                hostile("unique members of an enum of 1,000", unique(1000)),
                hostile("every property needs every other one", dependent(300)));
    }

    private static Hostile hostile(String name, JsonNode schema) {
        return new Hostile(name, schema);
    }

    private static ObjectNode object(String keyword, JsonNode value) {
        return SchemaDice.object().set(keyword, value);
    }

    private static ObjectNode object(String keyword, String value) {
        return SchemaDice.object().put(keyword, value);
    }

    private static ObjectNode string(String keyword, String value) {
        return object("type", "string").put(keyword, value);
    }

    private static ObjectNode string(String keyword, int value) {
        return object("type", "string").put(keyword, value);
    }

    private interface Wrapping {
        JsonNode around(JsonNode inner);
    }

    private static JsonNode nested(int depth, Wrapping wrapping) {
        JsonNode schema = object("type", "boolean");
        for (int i = 0; i < depth; i++) {
            schema = wrapping.around(schema);
        }
        return schema;
    }

    private static ObjectNode many(String keyword, int count, IntFunction<JsonNode> branch) {
        return object(
                keyword,
                SchemaDice.array(IntStream.range(0, count).mapToObj(branch).toList()));
    }

    private static JsonNode tagged(int tag, JsonNode inner) {
        var properties = object("v", inner);
        properties.set("t" + tag, object("type", "integer"));
        return object("properties", properties);
    }

    private static JsonNode patterned(int first, int then) {
        return string("pattern", "x" + first + ".*y" + then);
    }

    private static JsonNode requiring(String name) {
        return object("required", SchemaDice.texts(List.of(name)));
    }

    private static JsonNode conditional(JsonNode inner) {
        var schema = object("if", requiring("a"));
        schema.set("then", inner);
        return schema.set("else", object("properties", object("b", inner)));
    }

    private static ObjectNode doubling(int depth) {
        var definitions = SchemaDice.object();
        for (int i = 0; i < depth; i++) {
            var next = object("$ref", "#/$defs/d" + (i + 1));
            definitions.set("d" + i, many("allOf", 2, j -> j == 0 ? next : object("properties", object("a", next))));
        }
        definitions.set("d" + depth, object("type", "object"));
        var schema = object("$ref", "#/$defs/d0");
        return schema.set("$defs", definitions);
    }

    private static ObjectNode properties(int count, boolean required) {
        var properties = SchemaDice.object();
        var names = IntStream.range(0, count).mapToObj(i -> "property" + i).toList();
        names.forEach(name -> properties.set(name, object("type", "string")));
        var schema = object("properties", properties).put("type", "object").put("additionalProperties", false);
        return required ? schema.set("required", SchemaDice.texts(names)) : schema;
    }

    private static ObjectNode patternNames(int count) {
        var patterns = SchemaDice.object();
        IntStream.range(0, count)
                .forEach(i -> patterns.set("a.*" + i, object("type", i % 2 == 0 ? "string" : "integer")));
        return object("patternProperties", patterns);
    }

    private static ObjectNode bigEnum(int count, int length) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            texts.add(i + "x".repeat(length));
        }
        return object("enum", SchemaDice.texts(texts));
    }

    private static ObjectNode unique(int count) {
        return object("items", bigEnum(count, 5)).put("type", "array").put("uniqueItems", true);
    }

    private static ObjectNode dependent(int count) {
        var schema = properties(count, false);
        var names = IntStream.range(0, count).mapToObj(i -> "property" + i).toList();
        var dependent = SchemaDice.object();
        names.forEach(name -> dependent.set(name, SchemaDice.texts(names)));
        return schema.set("dependentRequired", dependent);
    }
}
