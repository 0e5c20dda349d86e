package dev.counterpoint.structured.schema;

import org.junit.jupiter.api.Test;

class CombinedSchemasTest {
    @Test
    void allOfHoldsTogetherWithItsSiblings() {
        SchemaTexts.of("{'allOf':[{'minimum':3},{'maximum':5}],'type':'integer'}")
                .takes("3", "5")
                .refuses("2", "6");
        SchemaTexts.of("{'type':'object','allOf':[{'properties':{'a':{'type':'integer'}}},{'required':['a']}],"
                        + "'properties':{'a':{'minimum':4}}}")
                .takes("{'a': 4}")
                .refuses("{}", "{'a': 3}", "{'a': 'x'}");
    }

    @Test
    void anyOfNeedsOneBranch() {
        SchemaTexts.of("{'anyOf':[{'type':'string','maxLength':1},{'type':'integer'}]}")
                .takes("'a'", "7")
                .refuses("'ab'", "1.5");
    }

    @Test
    void oneOfTakesWhatFitsExactlyOneBranch() {
        SchemaTexts.of("{'type':'integer','oneOf':[{'multipleOf':2},{'multipleOf':3}]}")
                .takes("2", "3", "9")
                .refuses("6", "5");
        SchemaTexts.of("{'type':'object','oneOf':[{'required':['a']},{'required':['b']}]}")
                .takes("{'a': 1}", "{'b': 1, 'c': 1}")
                .refuses("{}", "{'a': 1, 'b': 1}");
    }

    @Test
    void discriminatorsTellBranchesApart() {
        SchemaTexts.of("{'type':'object','required':['kind'],'properties':{'kind':{'type':'string'}},'oneOf':["
                        + "{'properties':{'kind':{'const':'x'},'n':{'type':'integer'}},'required':['n']},"
                        + "{'properties':{'kind':{'const':'y'},'s':{'type':'string'}},'required':['s']}]}")
                .takes("{'kind': 'x', 'n': 1}", "{'kind': 'y', 's': 'a'}")
                .refuses("{'kind': 'x', 's': 'a'}", "{'kind': 'z', 'n': 1}", "{'kind': 'x'}");
    }

    @Test
    void notIsTheComplement() {
        SchemaTexts.of("{'not':{'type':['string','object']}}")
                .takes("1", "[]", "null")
                .refuses("'a'", "{}");
        SchemaTexts.of("{'type':'integer','not':{'enum':[1,2]}}")
                .takes("3", "12")
                .refuses("1", "2");
        SchemaTexts.of("{'type':'string','not':{'pattern':'a'}}").takes("'b'").refuses("'a'", "'bab'");
        SchemaTexts.of("{'type':'object','not':{'required':['a','b']}}")
                .takes("{}", "{'a': 1}", "{'b': 1}")
                .refuses("{'a': 1, 'b': 2}");
        SchemaTexts.of("{'type':'array','not':{'items':{'type':'integer'}}}")
                .takes("['a']", "[1, 'a', 1]")
                .refuses("[]", "[1]");
        SchemaTexts.of("{'type':'object','not':{'properties':{'a':{'const':1}},'additionalProperties':"
                        + "{'type':'null'}}}")
                .takes("{'a': 2}", "{'x': 1}", "{'a': 1, 'x': 2}")
                .refuses("{}", "{'a': 1}", "{'a': 1, 'x': null}");
    }

    @Test
    void ifChoosesBetweenThenAndElse() {
        SchemaTexts.of("{'type':'object','properties':{'c':{'type':'string'},'zip':{'type':'string'}},"
                        + "'required':['c','zip'],"
                        + "'if':{'properties':{'c':{'const':'US'}}},'then':{'properties':{'zip':"
                        + "{'pattern':'^[0-9]{5}$'}}},"
                        + "'else':{'properties':{'zip':{'maxLength':2}}}}")
                .takes("{'c': 'US', 'zip': '12345'}", "{'c': 'DE', 'zip': 'x'}")
                .refuses("{'c': 'US', 'zip': 'x'}", "{'c': 'DE', 'zip': '12345'}");
    }

    @Test
    void twentyConditionsOnOneKeyAreNoTrouble() {
        var conditions = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            conditions
                    .append(i == 0 ? "" : ",")
                    .append("{'if':{'properties':{'k':{'const':'v" + i + "'}}},'then':{'required':['q" + i + "']}}");
        }
        SchemaTexts.of("{'type':'object','properties':{'k':{'enum':['v0','v7','v19']}},'required':['k'],'allOf':["
                        + conditions + "]}")
                .takes("{'k': 'v7', 'q7': 1}")
                .refuses("{'k': 'v7'}", "{'k': 'v7', 'q0': 1}", "{'k': 'v1', 'q1': 1}");
    }
}
