package dev.counterpoint.structured.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScalarKeywordsTest {
    @Test
    void typesAreOneOrSeveral() {
        SchemaTexts.of("{'type':['integer','null']}").takes("1", "null", "-3").refuses("1.5", "'a'", "true", "[]");
        SchemaTexts.of("{'type':'number'}").takes("1", "1.5").refuses("null", "'1'");
    }

    @Test
    void everyValueFitsTheEmptySchema() {
        SchemaTexts.of("{}")
                .takes("1", "'a'", "{'a': [true, {}]}", "null", "[[[]]]")
                .refuses("", "a", "[1,]", "{a: 1}");
        SchemaTexts.of("true").takes("1");
    }

    @Test
    void numbersHaveBounds() {
        SchemaTexts.of("{'type':'integer','minimum':3,'exclusiveMaximum':6}")
                .takes("3", "5")
                .refuses("2", "6");
        SchemaTexts.of("{'type':'integer','minimum':3,'exclusiveMinimum':true}")
                .takes("4")
                .refuses("3");
        SchemaTexts.of("{'type':'integer','multipleOf':3,'minimum':1}")
                .takes("3", "12")
                .refuses("4", "0");
    }

    @Test
    void stringsHaveLengthsAndPatterns() {
        SchemaTexts.of("{'type':'string','minLength':2,'maxLength':3}")
                .takes("'ab'", "'äöü'")
                .refuses("'a'", "'abcd'");
        SchemaTexts.of("{'type':'string','pattern':'^a+$','maxLength':2}")
                .takes("'a'", "'aa'")
                .refuses("'aaa'", "''", "'b'");
    }

    @Test
    void formatsAreEnforcedWhereTheyAreKnown() {
        SchemaTexts.of("{'type':'string','format':'date'}")
                .takes("'2024-02-29'")
                .refuses("'2024-13-01'", "'x'");
        var texts = SchemaTexts.of("{'type':'string','format':'semver'}").takes("'x'");
        assertThat(texts.unenforced()).extracting(Unenforced::keyword).containsExactly("format");
    }

    @Test
    void constantsAreOfAnyType() {
        SchemaTexts.of("{'enum':['a',1,null,true,[1,'x'],{'b':2,'a':{}}]}")
                .takes("'a'", "1", "null", "true", "[1, 'x']", "{'b': 2, 'a': {}}")
                .refuses("'b'", "2", "false", "[1]", "[1, 'x', 2]", "{'b': 2}", "{'b': 2, 'a': {}, 'c': 1}");
    }

    @Test
    void siblingsFilterConstants() {
        SchemaTexts.of("{'enum':['a','bb',1,5,null],'minLength':2,'minimum':3,'type':['string','integer']}")
                .takes("'bb'", "5")
                .refuses("'a'", "1", "null");
    }
}
