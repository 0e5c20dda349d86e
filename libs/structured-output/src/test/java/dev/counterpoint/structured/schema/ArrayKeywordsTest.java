package dev.counterpoint.structured.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrayKeywordsTest {
    @Test
    void itemsHaveTheirSchemaAndTheirNumber() {
        SchemaTexts.of("{'type':'array','items':{'type':'integer'},'minItems':1,'maxItems':3}")
                .takes("[1]", "[1, 2, 3]")
                .refuses("[]", "[1, 2, 3, 4]", "['a']", "[1, 'a']");
    }

    @Test
    void manyItemsAreCountedToo() {
        SchemaTexts.of("{'type':'array','items':{'const':0},'minItems':30,'maxItems':31}")
                .takes("[0" + ",0".repeat(29) + "]", "[0" + ",0".repeat(30) + "]")
                .refuses("[0" + ",0".repeat(28) + "]", "[0" + ",0".repeat(31) + "]");
    }

    @Test
    void firstItemsHaveSchemasOfTheirOwnInEverySpelling() {
        SchemaTexts.of("{'type':'array','prefixItems':[{'type':'integer'},{'type':'string'}],'items':"
                        + "{'type':'null'}}")
                .takes("[]", "[1]", "[1, 'a']", "[1, 'a', null]")
                .refuses("['a']", "[1, 2]", "[1, 'a', 'b']");
        SchemaTexts.of("{'type':'array','items':[{'type':'integer'}],'additionalItems':false}")
                .takes("[]", "[1]")
                .refuses("[1, 1]", "['a']");
    }

    @Test
    void containsCountsItems() {
        SchemaTexts.of("{'type':'array','contains':{'type':'string'},'minContains':2,'maxContains':3}")
                .takes("['a', 1, 'b']", "['a', 'b', 'c']")
                .refuses("['a']", "[1, 2]", "['a', 'b', 'c', 'd']");
        SchemaTexts.of("{'type':'array','contains':{'const':7}}")
                .takes("[1, 7]", "[7, 7]")
                .refuses("[]", "[1]");
    }

    @Test
    void itemsOfShortListsOfConstantsDiffer() {
        SchemaTexts.of("{'type':'array','uniqueItems':true,'items':{'enum':['a','b',1,null]},'minItems':2}")
                .takes("['a', 'b']", "[null, 1, 'b', 'a']")
                .refuses("['a', 'a']", "['a']", "['a', 1, 'a']");
        SchemaTexts.of("{'type':'array','uniqueItems':true,'items':{'type':'boolean'}}")
                .takes("[]", "[true, false]")
                .refuses("[true, true]");
    }

    @Test
    void oneItemAloneIsAlwaysUnique() {
        SchemaTexts.of("{'type':'array','uniqueItems':true,'maxItems':1}")
                .takes("[]", "['a']")
                .refuses("[1, 2]");
    }

    @Test
    void differingItemsOfManyValuesAreRefusedByName() {
        var refusal = SchemaTexts.refusalOf("{'properties':{'a':{'type':'array','uniqueItems':true}}}");
        assertThat(refusal.keyword()).isEqualTo("uniqueItems");
        assertThat(refusal.path()).isEqualTo("/properties/a");
    }

    @Test
    void leniencyListsWhatIsNotEnforced() {
        var schema = "{'type':'array','uniqueItems':true}";
        var texts = SchemaTexts.of(schema, SchemaOptions.STRICT.withLeniency()).takes("[1, 1]");
        assertThat(texts.unenforced()).extracting(Unenforced::keyword).containsExactly("uniqueItems");
    }

    @Test
    void unevaluatedItemsAreThoseThatNoSchemaBesideSpeaksOf() {
        SchemaTexts.of("{'type':'array','prefixItems':[{'const':1}],'contains':{'type':'string'},"
                        + "'unevaluatedItems':{'type':'null'}}")
                .takes("[1, 'a']", "[1, null, 'a', null]")
                .refuses("[1]", "[1, 'a', 2]");
    }
}
