package dev.counterpoint.structured.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.regex.RegexPool;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaRefusalTest {
    @Test
    void invalidSchemasAreRefusedWithKeywordAndPath() {
        var refusal = SchemaTexts.refusalOf("{'type':'object','properties':{'a/b':{'type':'banana'}}}");
        assertThat(refusal.keyword()).isEqualTo("type");
        assertThat(refusal.path()).isEqualTo("/properties/a~1b");
        assertThat(refusal).hasMessageContaining("'type' is invalid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "{'required':'a'}",
                "{'minLength':-1}",
                "{'multipleOf':0}",
                "{'enum':1}",
                "{'properties':[]}",
                "{'not':3}",
                "{'minimum':'1'}",
                "{'anyOf':{}}",
                "{'pattern':1}",
                "{'maxItems':1.5}",
                "{'required':[1]}"
            })
    void malformedKeywordsAreRefused(String schema) {
        assertThat(SchemaTexts.refusalOf(schema)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "false",
                "{'type':'integer','minimum':2,'maximum':1}",
                "{'enum':[]}",
                "{'type':'string','const':1}",
                "{'type':'object','properties':{'a':{'$ref':'#'}},'required':['a']}"
            })
    void schemasThatNoValueFitsAreRefused(String schema) {
        assertThat(SchemaTexts.refusalOf(schema)).hasMessageContaining("fits no value");
    }

    @Test
    void patternsThatNoAutomatonCanDoAreRefused() {
        var refusal = SchemaTexts.refusalOf("{'type':'string','pattern':'(a)\\\\1'}");
        assertThat(refusal.keyword()).isEqualTo("pattern");
    }

    @Test
    void deepSchemasAreRefusedAndOverflowNothing() {
        var deep = JsonNodeFactory.instance.objectNode();
        var inner = deep;
        for (int i = 0; i < 100_000; i++) {
            inner = inner.putObject("not");
        }
        assertThat(SchemaTexts.refusalOf(deep)).hasMessageContaining("nested");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'allOf':[%s]}|{'anyOf':[{'properties':{'p#':{'const':1},'q':{'minLength':#}}},{'minProperties':#}]}",
                "{'enum':[%s]}|'value number # of very many that are long enough to matter'",
                "{'type':'array','allOf':[%s]}|{'contains':{'const':#},'minContains':9}"
            })
    void exponentialSchemasEndEarly(String made) {
        var parts = made.split("\\|");
        int count = parts[1].startsWith("'") ? 100_000 : 40;
        var members = IntStream.range(0, count)
                .mapToObj(i -> parts[1].replace("#", Integer.toString(i)))
                .collect(Collectors.joining(","));
        assertThat(SchemaTexts.refusalOf(parts[0].replace("%s", members))).hasMessageContaining("too complex");
    }

    @Test
    void fiveThousandPropertiesAreNotTooMany() {
        var members = IntStream.range(0, 5_000)
                .mapToObj(i -> "'p" + i + "':{'type':'string'}")
                .collect(Collectors.joining(","));
        var schema = SchemaTexts.json("{'type':'object','properties':{" + members + "}}");
        var compiled = JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, new RegexPool());
        assertThat(compiled.grammar().size()).isPositive();
    }

    @Test
    void schemasArePartsOfLargerGrammars() {
        var builder = new GrammarBuilder(new RegexPool());
        var embedded = JsonSchemaCompiler.into(builder, SchemaTexts.json("{'const':1}"), SchemaOptions.STRICT);
        var start = builder.rule();
        builder.add(start, builder.literal("<"), embedded.value(), builder.literal(">"));
        assertThat(builder.build(start).size()).isPositive();
        assertThat(embedded.unenforced()).isEmpty();
    }

    @Test
    void jsonModeTakesAnyObjectOfAnyDepth() {
        var grammar = JsonSchemaCompiler.anyObject(new RegexPool(), Spacing.COMMON);
        var texts = new SchemaTexts(new CompiledSchema(grammar, java.util.List.of()));
        texts.takes("{}", "{'a': [1, {'b': null}], 'c': 'x'}", "{'a':".repeat(1000) + "1" + "}".repeat(1000))
                .refuses("[]", "1", "{'a':".repeat(1000) + "1" + "}".repeat(999), "{" + " ".repeat(200) + "}");
    }
}
