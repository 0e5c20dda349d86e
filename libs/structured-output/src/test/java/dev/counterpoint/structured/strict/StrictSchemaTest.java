package dev.counterpoint.structured.strict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictSchemaTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int DEEP = 100_000;

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            resources = "/strict/refused.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1,
            maxCharsPerColumn = 10_000)
    void refusesInOpenAisWords(String rule, String schema, String words) throws IOException {
        assertThat(StrictSchema.violation(MAPPER.readTree(schema)))
                .as(rule)
                .map(SchemaViolation::detail)
                .contains(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'object','properties':{},'additionalProperties':false}",
                "{'type':'object','properties':{},'required':[],'additionalProperties':false,"
                        + "'title':'T','$schema':'x'}",
                "{'type':'object','properties':{'x':{'type':['string','null'],'enum':['a',null]}},'required':['x'],"
                        + "'additionalProperties':false}",
                "{'type':'object','properties':{'x':{'type':'integer','enum':[1,2.0]},'y':{'type':'string',"
                        + "'const':'a'}},'required':['y','x'],'additionalProperties':false}",
                "{'type':'object','properties':{'x':{'type':'string','minLength':1,'pattern':'^a','format':'date-time',"
                        + "'examples':['a']},'y':{'type':'array','items':{'type':'number','exclusiveMinimum':0,"
                        + "'multipleOf':0.5},'minItems':1,'maxItems':3}},'required':['x','y'],"
                        + "'additionalProperties':false}",
                "{'type':'object','properties':{'children':{'type':'array','items':{'$ref':'#'}}},"
                        + "'required':['children'],'additionalProperties':false}",
                "{'type':'object','properties':{'next':{'anyOf':[{'$ref':'#/$defs/a~1b'},"
                        + "{'$ref':'#/definitions/c%20d'},{'type':'null'}]}},"
                        + "'required':['next'],'additionalProperties':false,'$defs':{'a/b':"
                        + "{'type':'object','properties':{'n':{'$ref':'#/$defs/a~1b'}},'required':['n'],"
                        + "'additionalProperties':false}},'definitions':{'c d':{'type':'string'}}}",
            })
    void takesWhatOpenAiTakes(String schema) throws IOException {
        assertThat(StrictSchema.violation(MAPPER.readTree(schema.replace('\'', '"'))))
                .isEmpty();
    }

    @Test
    void saysWhoseSchemaItIs() {
        var violation = StrictSchema.violation(JSON.objectNode()).orElseThrow();

        assertThat(violation.message(SchemaOwner.responseFormat("math")))
                .isEqualTo("Invalid schema for response_format 'math': schema must be a JSON Schema of 'type:"
                        + " \"object\"', got 'type: \"None\"'.");
        assertThat(violation.message(SchemaOwner.function("add"))).startsWith("Invalid schema for function 'add': ");
    }

    @ParameterizedTest(name = "{0} levels: {1}")
    @CsvSource({"10,true", "11,false", "14,false"})
    void tenLevelsOfNestingAreTaken(int levels, boolean taken) {
        var schema =
                nested(levels, StrictSchemaTest::objectOf, JSON.objectNode().put("type", "string"));

        var violation = StrictSchema.violation(schema).map(SchemaViolation::detail);

        if (taken) {
            assertThat(violation).isEmpty();
        } else {
            assertThat(violation).contains(levels + " levels of nesting exceeds limit of 10.");
        }
    }

    @Test
    void branchesAddNoLevel() {
        var leaf = nested(20, StrictSchemaTest::branch, JSON.objectNode().put("type", "string"));

        assertThat(StrictSchema.violation(objectOf(leaf))).isEmpty();
    }

    @ParameterizedTest(name = "{0} properties: {1}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {"5000 | -", "6000 | 6000 parameters exceeds limit of 5000."})
    void fiveThousandPropertiesAreTaken(int count, @Nullable String words) {
        var schema = JSON.objectNode().put("type", "object").put("additionalProperties", false);
        var properties = schema.putObject("properties");
        var required = schema.putArray("required");
        for (int i = 0; i < count; i++) {
            properties.putObject("p" + i).put("type", "string");
            required.add("p" + i);
        }

        assertThat(StrictSchema.violation(schema).map(SchemaViolation::detail).orElse(null))
                .isEqualTo(words);
    }

    @ParameterizedTest(name = "{0} values of {1} characters")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "1000 | 10 | -",
                "1208 | 4 | Expected at most 1000 enum values in total within a single schema when using structured"
                        + " outputs, but received 1208. Consider reducing the number of enums, or use 'strict: false'"
                        + " to opt out of structured outputs.",
                "250 | 400 | -",
                "251 | 59 | -",
                "251 | 60 | Expected at most 15000 total characters across enum values when there are more than 250"
                        + " enum values, but received 15060. Consider reducing the number of enums, or use 'strict:"
                        + " false' to opt out of structured outputs.",
                "250 | 481 | Expected at most 120000 total characters across property names, definition names, enum"
                        + " values and const values within a single schema when using structured outputs, but received"
                        + " 120251. Consider reducing the number of enums, or use 'strict: false' to opt out of"
                        + " structured outputs.",
            })
    void enumsAreBoundedByNumberAndLength(int values, int characters, @Nullable String words) {
        var leaf = JSON.objectNode().put("type", "string");
        for (int i = 0; i < values; i++) {
            leaf.withArray("enum").add("%04d".formatted(i) + "x".repeat(characters - 4));
        }

        assertThat(StrictSchema.violation(objectOf(leaf))
                        .map(SchemaViolation::detail)
                        .orElse(null))
                .isEqualTo(words);
    }

    @Test
    void depthCostsNoStack() {
        var text = JSON.objectNode().put("type", "string");
        var objects = nested(DEEP, StrictSchemaTest::objectOf, text);
        var branches = objectOf(nested(DEEP, StrictSchemaTest::branch, text));
        var faulty = nested(DEEP, StrictSchemaTest::objectOf, JSON.objectNode());

        assertTimeoutPreemptively(SOON, () -> {
            assertThat(StrictSchema.violation(objects))
                    .contains(new SchemaViolation("100000 levels of nesting exceeds limit of 10."));
            assertThat(StrictSchema.violation(branches)).isEmpty();
            assertThat(StrictSchema.violation(faulty).orElseThrow().detail())
                    .hasSizeLessThan(1_000)
                    .endsWith("schema must have a 'type' key.");
        });
    }

    @Test
    void depthInsideAValueCostsNoStack() {
        var leaf = JSON.objectNode().put("type", "array");
        leaf.set("items", JSON.objectNode().put("type", "string"));
        leaf.withArray("enum").add(nested(DEEP, inner -> JSON.arrayNode().add(inner), JSON.textNode("x")));

        assertTimeoutPreemptively(
                SOON, () -> assertThat(StrictSchema.violation(objectOf(leaf))).isEmpty());
    }

    @Test
    void anEnumOfTenMegabytesEndsFast() {
        var leaf = JSON.objectNode().put("type", "string");
        for (int i = 0; i < 1_000_000; i++) {
            leaf.withArray("enum").add("value" + i);
        }

        assertTimeoutPreemptively(
                SOON,
                () -> assertThat(StrictSchema.violation(objectOf(leaf))
                                .orElseThrow()
                                .detail())
                        .contains("received 1000000."));
    }

    @Test
    void aLongNameIsCutInTheMessage() {
        var schema = objectOf(JSON.objectNode());
        var properties = JSON.objectNode();
        properties.set("n".repeat(1_000_000), JSON.objectNode().put("type", "array"));
        schema.set("properties", properties);
        schema.putArray("required").add("n".repeat(1_000_000));

        assertThat(StrictSchema.violation(schema).orElseThrow().detail())
                .hasSizeLessThan(400)
                .contains("nnn...'), array schema missing items.");
    }

    private static JsonNode nested(int times, UnaryOperator<JsonNode> around, JsonNode leaf) {
        var schema = leaf;
        for (int i = 0; i < times; i++) {
            schema = around.apply(schema);
        }
        return schema;
    }

    private static ObjectNode objectOf(JsonNode property) {
        var schema = JSON.objectNode().put("type", "object").put("additionalProperties", false);
        schema.putObject("properties").set("p", property);
        schema.putArray("required").add("p");
        return schema;
    }

    private static JsonNode branch(JsonNode inner) {
        var schema = JSON.objectNode();
        schema.putArray("anyOf").add(inner);
        return schema;
    }
}
