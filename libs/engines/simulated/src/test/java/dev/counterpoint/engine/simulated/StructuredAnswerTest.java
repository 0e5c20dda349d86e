package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Sampling;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StructuredAnswerTest {
    @Test
    void copiesTheValuesOfAnEventInTheOrderOfTheSchema() {
        var answer = Talk.user("Event: science fair\nAlice and Bob are going on Friday.")
                .strict("""
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
                .strict("""
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
        var answer = Talk.user("Ada is 36 and Bob is 41.").strict("""
            {"type":"object","properties":{"people":{"type":"array","items":{"$ref":"#/$defs/person"}}},
             "required":["people"],"$defs":{"person":{"type":"object",
             "properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}}}\
            """).answer();

        assertThat(answer).isEqualTo("{\"people\":[{\"name\":\"Ada\",\"age\":36},{\"name\":\"Bob\",\"age\":41}]}");
    }

    @Test
    void readsKeysAndValues() {
        var answer = Talk.user("Invoice: 4711\nCustomer: Grace Hopper\nDate: 2025-03-01\nTotal: $1,250.5\nPaid: no")
                .strict("""
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
        var answer = Talk.user("What is 17 plus 25?").strict("""
            {"type":"object","properties":{"sum":{"type":"integer"},"explanation":{"type":"string"}},
             "required":["sum","explanation"],"additionalProperties":false}\
            """).answer();

        assertThat(answer).isEqualTo("{\"sum\":42,\"explanation\":\"42\"}");
    }

    @Test
    void givesEmptyValuesOfTheRightTypeWhereNothingFits() {
        var answer = Talk.user("What is the capital of France?").strict("""
            {"type":"object","properties":{"capital":{"type":"string"},"population":{"type":"integer"},
             "mayor":{"anyOf":[{"type":"string"},{"type":"null"}]},"coastal":{"type":"boolean"}},
             "required":["capital","population","mayor","coastal"]}\
            """).answer();

        assertThat(answer).isEqualTo("{\"capital\":\"unknown\",\"population\":0,\"mayor\":null,\"coastal\":false}");
    }

    @Test
    void writesAQueryWithOperatorsAndDates() {
        var answer = Talk.user("Today is 2024-11-20. Look up id and status of all orders where status != delivered and"
                        + " ordered_at >= 2024-05-01, order by desc.")
                .strict(object("""
                    "table":{"type":"string","enum":["customers","orders"]},
                    "columns":{"type":"array","items":{"type":"string","enum":["id","status","ordered_at","total"]}},
                    "conditions":{"type":"array","items":%s},
                    "order_by":{"type":"string","enum":["asc","desc"]}""".formatted(object("""
                    "column":{"type":"string"},"operator":{"type":"string","enum":["=",">","<",">=","<=","!="]},
                    "value":{"anyOf":[{"type":"string"},{"type":"number"}]}"""))))
                .answer();

        assertThat(answer)
                .isEqualTo("{\"table\":\"orders\",\"columns\":[\"id\",\"status\",\"ordered_at\"],\"conditions\":["
                        + "{\"column\":\"status\",\"operator\":\"!=\",\"value\":\"delivered\"},"
                        + "{\"column\":\"ordered_at\",\"operator\":\">=\",\"value\":\"2024-05-01\"}],"
                        + "\"order_by\":\"desc\"}");
    }

    @Test
    void givesQuotedTextsToFieldsInTheirOrder() {
        var schema = object("\"voiceover\":{\"type\":\"string\"},\"display\":{\"type\":\"string\"}");

        assertThat(Talk.user("Say aloud \"Turn left, please\" and show \"Left, 20 m\".")
                        .strict(schema)
                        .answer())
                .isEqualTo("{\"voiceover\":\"Turn left, please\",\"display\":\"Left, 20 m\"}");
        assertThat(Talk.user("display: \"Red door\", voiceover: \"A red door, two metres away\"")
                        .strict(schema)
                        .answer())
                .isEqualTo("{\"voiceover\":\"A red door, two metres away\",\"display\":\"Red door\"}");
    }

    @Test
    void readsAResume() {
        var answer = Talk.user("""
                        Grace Hopper
                        Senior Software Engineer
                        New York, NY
                        Email: grace@example.com
                        Phone: +1 212 555 0100
                        github.com/gracehopper

                        Experience
                        Acme Corp - Staff Engineer (2019-2023)
                        Initech, Developer, 2015 - 2019

                        Skills: COBOL, Java""")
                .strict(object("""
                    "name":{"type":"string"},"title":{"type":"string"},"location":{"type":"string"},
                    "contact_info":%s,"jobs":{"type":"array","items":%s},
                    "skills":{"type":"array","items":{"type":"string"}},"github_username":{"type":"string"}""".formatted(
                                object("\"email\":{\"type\":\"string\"},\"phone\":{\"type\":\"string\"}"),
                                object("\"company\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},"
                                        + "\"start_date\":{\"type\":\"string\"}"))))
                .answer();

        assertThat(Talk.json(answer)).isEqualTo(Talk.json("""
                {"name":"Grace Hopper","title":"Senior Software Engineer","location":"New York, NY",
                 "contact_info":{"email":"grace@example.com","phone":"+1 212 555 0100"},
                 "jobs":[{"company":"Acme Corp","title":"Staff Engineer","start_date":"2019"},
                  {"company":"Initech","title":"Developer","start_date":"2015"}],
                 "skills":["COBOL","Java"],"github_username":"gracehopper"}"""));
    }

    @Test
    void writesOneCriterionForEachCondition() {
        var answer = Talk.user("Find candidates with location = Berlin, skill: Java and years_of_experience > 5")
                .strict(object("\"criteria\":{\"type\":\"array\",\"items\":%s}"
                        .formatted(object("\"field\":{\"type\":\"string\",\"enum\":[\"location\",\"skill\","
                                + "\"years_of_experience\"]},\"value\":{\"type\":\"string\"}"))))
                .answer();

        assertThat(answer)
                .isEqualTo("{\"criteria\":[{\"field\":\"location\",\"value\":\"Berlin\"},{\"field\":\"skill\","
                        + "\"value\":\"Java\"},{\"field\":\"years_of_experience\",\"value\":\"5\"}]}");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void endsWhateverRecurs(long seed) {
        var component = object("\"type\":{\"type\":\"string\",\"enum\":[\"div\",\"form\",\"field\",\"button\"]},"
                + "\"label\":{\"type\":\"string\"},\"children\":{\"type\":\"array\","
                + "\"items\":{\"$ref\":\"#/$defs/c\"}},"
                + "\"next\":{\"anyOf\":[{\"$ref\":\"#/$defs/c\"},{\"type\":\"null\"}]}");
        var talk = Talk.user("Draw a sign-up form with the title \"Join us\" and a button \"Send\".")
                .strict("{\"$defs\":{\"c\":" + component + "},\"$ref\":\"#/$defs/c\"}")
                .sampling(seed == 0 ? Sampling.GREEDY : Sampling.DEFAULT.withSeed(seed))
                .maxTokens(4_000);

        var output = talk.output();

        assertThat(output.ids()).endsWith(SpecialTokens.RETURN);
        assertThat(Talk.json(output.answer()).path("type").asText()).isEqualTo("form");
    }

    private static String object(String properties) {
        var required = new ArrayList<String>();
        Talk.json("{" + properties + "}").fieldNames().forEachRemaining(name -> required.add("\"" + name + "\""));
        return "{\"type\":\"object\",\"properties\":{" + properties + "},\"required\":" + required
                + ",\"additionalProperties\":false}";
    }
}
