package dev.counterpoint.structured.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObjectKeywordsTest {
    @Test
    void propertiesComeInTheOrderOfTheSchemaAndMayBeLeftOut() {
        SchemaTexts.of("{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'string'}}}")
                .takes("{}", "{'a': 1}", "{'b': 'x'}", "{'a': 1, 'b': 'x'}", "{'a': 1, 'c': [null]}")
                .refuses("{'a': 'x'}", "{'b': 'x', 'a': 1}", "{'a': 1, 'a': 2}", "[]", "{'a': 1,}");
    }

    @Test
    void propertiesComeInAnyOrderWhereTheCallerWantsIt() {
        var options = SchemaOptions.STRICT.withForm(ValueForm.ANY);
        SchemaTexts.of("{'type':'object','properties':{'a':{},'b':{}},'required':['a','c']}", options)
                .takes("{'c': 1, 'b': 2, 'a': 3}", "{'x': 0, 'a': 1, 'c': 2}")
                .refuses("{'b': 2, 'a': 3}", "{'a': 1, 'a': 2, 'c': 3}");
    }

    @Test
    void objectsOfManyPropertiesComeInAnyOrderWithAllThatIsRequiredAndNothingTwice() {
        var names = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            names.append(i == 0 ? "" : ",").append("'p").append(i).append("':{}");
        }
        var required = ",'required':['p0','p1','p2','p3','p4','p5','p6'],'additionalProperties':false}";
        var options = SchemaOptions.STRICT.withForm(ValueForm.ANY);
        SchemaTexts.of("{'type':'object','properties':{" + names + "}" + required, options)
                .takes(
                        "{'p9': 0, 'p0':0,'p1':0,'p2':0,'p19':0,'p3':0,'p4':0,'p5':0,'p6':0,'p7':0}",
                        "{'p6':0,'p1':0,'p0':0,'p2':0,'p3':0,'p4':0,'p5':0}")
                .refuses(
                        "{'p0':0,'p1':0}",
                        "{'p1':0,'p0':0,'p2':0,'p3':0,'p4':0,'p5':0,'p5':0}",
                        "{'p0':0,'p1':0,'p2':0,'p3':0,'p4':0,'p5':0,'p6':0,'p9':0,'p9':0}");
    }

    @Test
    void objectsInsideOthersRememberTheirOwnProperties() {
        var options = SchemaOptions.STRICT.withForm(ValueForm.ANY);
        var object = "{'type':'object','properties':{'a':{'anyOf':[{'$ref':'#/$defs/o'},{'type':'null'}]},"
                + "'b':{'type':'integer'}},'required':['a','b'],'additionalProperties':false}";
        SchemaTexts.of("{'$defs':{'o':" + object + "},'$ref':'#/$defs/o'}", options)
                .takes("{'b':1,'a':null}", "{'a':{'b':2,'a':{'a':null,'b':3}},'b':1}", "{'b':1.0,'a':{'b':2,'a':null}}")
                .refuses(
                        "{'a':null}",
                        "{'a':{'b':2,'a':null}}",
                        "{'b':1,'a':{'b':2}}",
                        "{'b':1,'a':null,'b':1}",
                        "{'b':1,'a':null,");
    }

    @Test
    void namesThatNoSchemaListsCountOnceTowardsMinPropertiesSinceTheyMayBeTheSame() {
        var schema = "{'type':'object','properties':{'a':{},'b':{}},'minProperties':2}";
        for (var form : ValueForm.values()) {
            SchemaTexts.of(schema, SchemaOptions.STRICT.withForm(form))
                    .takes("{'a':1,'b':1}", "{'b':1,'x':1}", "{'a':1,'x':1,'x':1}")
                    .refuses("{'x':1,'x':1}", "{'x':1}", "{'a':1}");
        }
        assertThat(SchemaTexts.refusalOf("{'type':'object','minProperties':2}").keyword())
                .isEqualTo("minProperties");
    }

    @Test
    void requiredPropertiesThatAreNotDescribedComeAfterThoseThatAre() {
        SchemaTexts.of("{'type':'object','properties':{'a':{}},'required':['z','a'],"
                        + "'additionalProperties':{'type':'null'}}")
                .takes("{'a': 1, 'z': null}", "{'a': 1, 'z': null, 'b': null}")
                .refuses("{'a': 1}", "{'z': null}", "{'a': 1, 'z': 1}", "{'a': 1, 'b': null, 'z': null}");
    }

    @Test
    void additionalPropertiesAreAllThatNoNameAndNoPatternSpeaksOf() {
        SchemaTexts.of("{'type':'object','properties':{'a':{}},'patternProperties':{'^x':{'type':'integer'}},"
                        + "'additionalProperties':{'type':'boolean'}}")
                .takes("{'a': 'x', 'xy': 1, 'b': true}", "{'b': true, 'x': 2}")
                .refuses("{'xy': true}", "{'b': 1}");
    }

    @Test
    void overlappingPatternsAllApply() {
        SchemaTexts.of("{'type':'object','patternProperties':{'a':{'type':'integer'},'b':{'minimum':5}},"
                        + "'properties':{'cab':{'maximum':7}}}")
                .takes("{'a': 1}", "{'b': 'text'}", "{'ab': 6}", "{'cab': 6}", "{'b': 7}")
                .refuses("{'ab': 4}", "{'ab': 'x'}", "{'cab': 8}", "{'cab': 4}", "{'b': 3}");
    }

    @Test
    void minPropertiesAndMaxPropertiesCount() {
        SchemaTexts.of("{'type':'object','properties':{'a':{},'b':{},'c':{}},'minProperties':2,'maxProperties':3}")
                .takes("{'a': 1, 'c': 1}", "{'a': 1, 'x': 1}", "{'a': 1, 'b': 2, 'c': 3}", "{'b': 1, 'y': 1, 'z': 1}")
                .refuses("{}", "{'b': 1}", "{'a': 1, 'b': 2, 'c': 3, 'd': 4}");
    }

    @Test
    void propertyNamesRestrictNames() {
        SchemaTexts.of("{'type':'object','propertyNames':{'pattern':'^[a-z]{1,3}$'},'properties':{'abcd':{}}}")
                .takes("{}", "{'abc': 1}")
                .refuses("{'abcd': 1}", "{'A': 1}");
    }

    @Test
    void dependenciesHoldInBothSpellings() {
        SchemaTexts.of("{'type':'object','properties':{'a':{},'b':{}},'dependentRequired':{'a':['b']}}")
                .takes("{}", "{'b': 1}", "{'a': 1, 'b': 1}")
                .refuses("{'a': 1}", "{'a': 1, 'c': 1}");
        SchemaTexts.of("{'type':'object','properties':{'a':{},'b':{}},"
                        + "'dependencies':{'a':{'properties':{'b':{'type':'null'}},'required':['b']},'b':['c']}}")
                .takes("{}", "{'a': 1, 'b': null, 'c': 1}", "{'b': 1, 'c': 1}")
                .refuses("{'a': 1}", "{'b': 1}", "{'a': 1, 'b': 1, 'c': 1}");
    }

    @Test
    void unevaluatedPropertiesAreThoseThatNoSchemaBesideSpeaksOf() {
        SchemaTexts.of("{'type':'object','properties':{'a':{}},'anyOf':["
                        + "{'properties':{'b':{'const':1}},'required':['b']},{'properties':{'c':{}},"
                        + "'required':['c']}],"
                        + "'unevaluatedProperties':false}")
                .takes("{'a': 1, 'b': 1}", "{'a': 1, 'c': 1}", "{'b': 1, 'c': 2}")
                .refuses("{'a': 1}", "{'b': 2, 'c': 2}", "{'a': 1, 'b': 1, 'd': 1}");
    }

    @Test
    void namesAreEscapedAsJsonDoes() {
        SchemaTexts.of("{'type':'object','properties':{'a\\\\b':{},'\\n':{}},'additionalProperties':false}")
                .takes("{'a\\\\b': 1}", "{'\\n': 1}")
                .refuses("{'ab': 1}");
    }

    @Test
    void blanksAreFewAndLinesAreIndented() {
        SchemaTexts.of("{'type':'object','properties':{'a':{'type':'array'}},'additionalProperties':false}")
                .takes("{'a':[]}", "{ 'a' : [ 1 , 2 ] }", "{\n    'a': [\n        1,\n        2\n    ]\n}")
                .refuses("{'a':     []}", "{\n\n\n'a':[]}", " {}", "{} ");
    }

    @Test
    void objectsAreClosedWhereTheCallerWantsIt() {
        SchemaTexts.of("{'type':'object','properties':{'a':{}}}", SchemaOptions.STRICT.withClosedObjects())
                .takes("{'a': 1}")
                .refuses("{'b': 1}");
    }

    @Test
    void leniencyCountsTheNamesThatCanBeToldApart() {
        var texts = SchemaTexts.of("{'type':'object','required':['a'],'minProperties':4}", SchemaOptions.LENIENT);

        texts.takes("{'a': 1, 'b': 2}").refuses("{'a': 1}", "{'b': 2, 'c': 3}");
        assertThat(texts.unenforced()).extracting(Unenforced::keyword).containsExactly("minProperties");
    }
}
