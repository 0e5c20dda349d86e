package dev.counterpoint.worker.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuredAnswerTest {
    @Test
    void copiesTheValuesOfAnEventInTheOrderOfTheSchema() {
        var answer = Talk.user("Alice and Bob are going to a science fair on Friday.")
                .schema("""
                        {"type":"object","properties":{"name":{"type":"string"},"date":{"type":"string"},
                         "participants":{"type":"array","items":{"type":"string"}}},
                         "required":["name","date","participants"],"additionalProperties":false}""")
                .answer();

        assertThat(answer)
                .isEqualTo("{\"name\":\"science fair\",\"date\":\"Friday\",\"participants\":[\"Alice\",\"Bob\"]}");
    }

    @Test
    void keepsTypesEnumsAndNesting() {
        var answer = Talk.user(
                        "Ada Lovelace, 36 years old, lives in London. Her email is ada@example.com." + " It is urgent.")
                .schema("""
                        {"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},
                         "address":{"type":"object","properties":{"city":{"type":"string"},
                          "zip":{"type":["string","null"]}},"required":["city","zip"]},
                         "email":{"type":"string","format":"email"},"priority":{"enum":["low","medium","high"]},
                         "urgent":{"type":"boolean"}},
                         "required":["name","age","address","email","priority","urgent"]}""")
                .answer();

        assertThat(answer)
                .isEqualTo("{\"name\":\"Ada Lovelace\",\"age\":36,\"address\":{\"city\":\"London\",\"zip\":null},"
                        + "\"email\":\"ada@example.com\",\"priority\":\"high\",\"urgent\":true}");
    }

    @Test
    void makesOneObjectForEachPerson() {
        var answer = Talk.user("Ada is 36 and Bob is 41.").schema("""
                        {"type":"object","properties":{"people":{"type":"array","items":{"$ref":"#/$defs/person"}}},
                         "required":["people"],"$defs":{"person":{"type":"object",
                         "properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}}}""").answer();

        assertThat(answer).isEqualTo("{\"people\":[{\"name\":\"Ada\",\"age\":36},{\"name\":\"Bob\",\"age\":41}]}");
    }

    @Test
    void readsKeysAndValues() {
        var answer = Talk.user("Invoice: 4711\nCustomer: Grace Hopper\nDate: 2025-03-01\nTotal: $1,250.5\nPaid: no")
                .schema("""
                        {"type":"object","properties":{"invoice_number":{"type":"string"},"customer":{"type":"string"},
                         "date":{"type":"string","format":"date"},"total":{"type":"number"},"paid":{"type":"boolean"}},
                         "required":["invoice_number","customer","date","total","paid"]}""")
                .answer();

        assertThat(answer)
                .isEqualTo("{\"invoice_number\":\"4711\",\"customer\":\"Grace Hopper\",\"date\":\"2025-03-01\","
                        + "\"total\":1250.5,\"paid\":false}");
    }

    @Test
    void putsTheResultOfACalculationIntoTheSchema() {
        var answer = Talk.user("how can I solve 8x + 7 = -23").schema("""
                        {"type":"object","properties":{"steps":{"type":"array","items":{"type":"object",
                         "properties":{"explanation":{"type":"string"},"output":{"type":"string"}},
                         "required":["explanation","output"]}},
                         "final_answer":{"type":"string"}},"required":["steps","final_answer"]}""").answer();

        var json = Talk.json(answer);
        assertThat(json.get("final_answer").asText()).isEqualTo("x = -3.75");
        assertThat(json.get("steps")).hasSize(3);
        assertThat(json.get("steps").get(1).get("explanation").asText()).contains("8x = -30");
    }

    @Test
    void givesEmptyValuesOfTheRightTypeWhereNothingFits() {
        var answer = Talk.user("What is the capital of France?").schema("""
                        {"type":"object","properties":{"capital":{"type":"string"},"population":{"type":"integer"},
                         "mayor":{"anyOf":[{"type":"string"},{"type":"null"}]},"coastal":{"type":"boolean"}},
                         "required":["capital","population","mayor","coastal"]}""").answer();

        assertThat(answer).isEqualTo("{\"capital\":\"unknown\",\"population\":0,\"mayor\":null,\"coastal\":false}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            Give me JSON with keys name, age for: Ada is 36 years old. | {"name":"Ada","age":36}
            Return the result as JSON: what is 2+3?                    | {"answer":5}
            """)
    void answersInJsonWithoutASchema(String question, String answer) {
        assertThat(Talk.user(question).answer()).isEqualTo(answer);
    }
}
