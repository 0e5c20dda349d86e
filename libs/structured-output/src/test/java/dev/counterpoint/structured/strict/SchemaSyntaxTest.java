package dev.counterpoint.structured.strict;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaSyntaxTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"banana\"} | ('type',), 'banana' is not valid under any of the given schemas.",
                "{\"type\":\"String\"} | ('type',), 'String' is not valid under any of the given schemas.",
                "{\"type\":[]} | ('type',), [] is not valid under any of the given schemas.",
                "{\"type\":[\"null\",\"null\"]} | ('type',), ['null', 'null'] is not valid under any of the given"
                        + " schemas.",
                "{\"type\":[\"string\",{\"type\":\"null\"}]} | ('type',), ['string', {'type': 'null'}] is not valid"
                        + " under any of the given schemas.",
                "{\"type\":null} | ('type',), None is not valid under any of the given schemas.",
                "{\"required\":null} | ('required',), None is not of type 'array'.",
                "{\"required\":true} | ('required',), True is not of type 'array'.",
                "{\"required\":[1]} | ('required',), 1 is not of type 'string'.",
                "{\"required\":[\"a\",\"a\"]} | ('required',), ['a', 'a'] has non-unique elements.",
                "{\"properties\":[]} | ('properties',), [] is not of type 'object'.",
                "{\"properties\":{\"a\":null}} | ('properties', 'a'), None is not of type 'object', 'boolean'.",
                "{\"properties\":{\"a\":{\"enum\":\"x\"}}} | ('properties', 'a', 'enum'), 'x' is not of type 'array'.",
                "{\"items\":\"string\"} | ('items',), 'string' is not of type 'object', 'boolean'.",
                "{\"items\":[5]} | ('items', '0'), 5 is not of type 'object', 'boolean'.",
                "{\"anyOf\":[]} | ('anyOf',), [] should be non-empty.",
                "{\"oneOf\":{}} | ('oneOf',), {} is not of type 'array'.",
                "{\"allOf\":[{\"not\":1}]} | ('allOf', '0', 'not'), 1 is not of type 'object', 'boolean'.",
                "{\"additionalProperties\":\"yes\"} | ('additionalProperties',), 'yes' is not of type 'object',"
                        + " 'boolean'.",
                "{\"minLength\":-1} | ('minLength',), -1 is less than the minimum of 0.",
                "{\"maxItems\":1.5} | ('maxItems',), 1.5 is not of type 'integer'.",
                "{\"maxItems\":\"2\"} | ('maxItems',), '2' is not of type 'integer'.",
                "{\"maximum\":\"2\"} | ('maximum',), '2' is not of type 'number'.",
                "{\"multipleOf\":0} | ('multipleOf',), 0 is less than or equal to the minimum of 0.",
                "{\"uniqueItems\":1} | ('uniqueItems',), 1 is not of type 'boolean'.",
                "{\"pattern\":5} | ('pattern',), 5 is not of type 'string'.",
                "{\"$ref\":{}} | ('$ref',), {} is not of type 'string'.",
                "{\"dependentRequired\":{\"a\":\"b\"}} | ('dependentRequired',), 'b' is not of type 'array'.",
                "[] | (), [] is not of type 'object', 'boolean'.",
            })
    void namesTheKeywordAndTheWayToIt(String schema, String words) throws IOException {
        assertThat(SchemaSyntax.violation(MAPPER.readTree(schema)))
                .contains(new SchemaViolation("In context=" + words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "true",
                "{'properties':{'type':{'type':'string'},'required':{}},'enum':[{'type':'banana'}],'const':{'type':1}}",
                "{'default':{'type':'banana'},'examples':[{'items':5}],'x-own':{'type':'banana'}}",
                "{'items':[{},true],'additionalItems':false,'exclusiveMinimum':true,'minimum':0,'minItems':2.0}",
                "{'dependencies':{'a':['b'],'c':{'required':['d']}},'definitions':{'e':{}},'id':'f'}",
                "{'maximum':1e999,'minLength':0,'multipleOf':1e-2}",
            })
    void takesTheSpellingsOfAllDrafts(String schema) throws IOException {
        assertThat(SchemaSyntax.violation(MAPPER.readTree(schema.replace('\'', '"'))))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | true",
                "{\"type\":\"object\"} | true",
                "{\"type\":[\"object\",\"null\"]} | true",
                "{\"oneOf\":[{}]} | true",
                "{\"type\":\"array\"} | false",
                "{\"type\":[\"string\",\"null\"]} | false",
            })
    void parametersAreThoseOfAnObject(String schema, boolean right) throws IOException {
        assertThat(SchemaSyntax.violationOfParameters(MAPPER.readTree(schema)).isEmpty())
                .isEqualTo(right);
    }
}
