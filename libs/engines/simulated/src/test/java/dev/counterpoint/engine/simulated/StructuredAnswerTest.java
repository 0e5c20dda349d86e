package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StructuredAnswerTest {
    @Test
    void copiesTheValuesOfAnEventInTheOrderOfTheSchema() {
        var answer = Talk.user("Event: science fair\nAlice and Bob are going on Friday.")
                .schema("""
                    {"type":"object","properties":{"event":{"type":"string"},"date":{"type":"string"},
                     "participants":{"type":"array","items":{"type":"string"}}},
                     "required":["event","date","participants"],"additionalProperties":false}\
                    """)
                .answer();

        assertThat(answer)
                .isEqualTo("{\"event\":\"science fair\",\"date\":\"Friday\",\"participants\":[\"Alice\",\"Bob\"]}");
    }

    @Test
    void keepsTypesEnumsAndNesting() {
        var answer = Talk.user("Ada Lovelace, 36 years old, lives in London. Her email is ada@example.com."
                        + " It is urgent and of high priority.")
                .schema("""
                    {"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},
                     "address":{"type":"object","properties":{"city":{"type":"string"},
                      "zip":{"type":["string","null"]}},"required":["city","zip"]},
                     "email":{"type":"string","format":"email"},"priority":{"enum":["low","medium","high"]},
                     "urgent":{"type":"boolean"}},
                     "required":["name","age","address","email","priority","urgent"]}\
                    """)
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
             "properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}}}\
            """).answer();

        assertThat(answer).isEqualTo("{\"people\":[{\"name\":\"Ada\",\"age\":36},{\"name\":\"Bob\",\"age\":41}]}");
    }

    @Test
    void readsKeysAndValues() {
        var answer = Talk.user("Invoice: 4711\nCustomer: Grace Hopper\nDate: 2025-03-01\nTotal: $1,250.5\nPaid: no")
                .schema("""
                    {"type":"object","properties":{"invoice_number":{"type":"string"},"customer":{"type":"string"},
                     "date":{"type":"string","format":"date"},"total":{"type":"number"},"paid":{"type":"boolean"}},
                     "required":["invoice_number","customer","date","total","paid"]}\
                    """)
                .answer();

        assertThat(answer)
                .isEqualTo("{\"invoice_number\":\"4711\",\"customer\":\"Grace Hopper\",\"date\":\"2025-03-01\","
                        + "\"total\":1250.5,\"paid\":false}");
    }

    @Test
    void putsTheResultOfACalculationIntoTheSchema() {
        var answer = Talk.user("What is 17 plus 25?").schema("""
            {"type":"object","properties":{"sum":{"type":"integer"},"explanation":{"type":"string"}},
             "required":["sum","explanation"],"additionalProperties":false}\
            """).answer();

        assertThat(answer).isEqualTo("{\"sum\":42,\"explanation\":\"42\"}");
    }

    @Test
    void givesEmptyValuesOfTheRightTypeWhereNothingFits() {
        var answer = Talk.user("What is the capital of France?").schema("""
            {"type":"object","properties":{"capital":{"type":"string"},"population":{"type":"integer"},
             "mayor":{"anyOf":[{"type":"string"},{"type":"null"}]},"coastal":{"type":"boolean"}},
             "required":["capital","population","mayor","coastal"]}\
            """).answer();

        assertThat(answer).isEqualTo("{\"capital\":\"unknown\",\"population\":0,\"mayor\":null,\"coastal\":false}");
    }
}
