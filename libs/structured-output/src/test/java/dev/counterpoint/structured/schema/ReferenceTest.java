package dev.counterpoint.structured.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReferenceTest {
    @Test
    void referencesLeadToPointersAnchorsAndIdentifiers() {
        SchemaTexts.of("{'prefixItems':[{'$ref':'#/$defs/a~1b'},{'$ref':'#here'},"
                        + "{'$ref':'other.json'}],'type':'array',"
                        + "'$defs':{'a/b':{'type':'integer'},'x':{'$anchor':'here',"
                        + "'type':'null'},'y':{'$id':'other.json','type':'boolean'}}}")
                .takes("[1, null, true]")
                .refuses("[null]", "[1, 1]", "[1, null, 1]");
    }

    @Test
    void schemasMayContainThemselves() {
        SchemaTexts.of("{'type':'object','properties':{'v':{'type':'integer'},'next':{'$ref':'#'}},"
                        + "'required':['v'],'additionalProperties':false}")
                .takes("{'v': 1}", "{'v': 1, 'next': {'v': 2, 'next': {'v': 3}}}")
                .refuses("{'v': 1, 'next': {}}", "{'v': 1, 'next': {'v': 'a'}}");
    }

    @Test
    void siblingsOfAReferenceCountFromDraft2019On() {
        var rest = "'properties':{'a':{'$ref':'#/definitions/s','maxLength':1}},'definitions':{'s':"
                + "{'type':'string'}}}";
        SchemaTexts.of("{'type':'object'," + rest).takes("{'a': 'x'}").refuses("{'a': 'xx'}");
        SchemaTexts.of("{'$schema':'http://json-schema.org/draft-07/schema#','type':'object'," + rest)
                .takes("{'a': 'xx'}");
    }

    @Test
    void dynamicReferencesLeadToTheOutermostAnchor() {
        SchemaTexts.of("{'$id':'http://x/strings','$ref':'list','$defs':{'it':{'$dynamicAnchor':'item',"
                        + "'type':'string'},"
                        + "'list':{'$id':'list','type':'array','items':{'$dynamicRef':'#item'},"
                        + "'$defs':{'any':{'$dynamicAnchor':'item'}}}}}")
                .takes("['a']")
                .refuses("[1]");
    }

    @Test
    void documentsAreThoseThatTheCallerGives() {
        var schema = "{'$ref':'http://x/y.json#/definitions/n'}";
        var known = Map.of("http://x/y.json", SchemaTexts.json("{'definitions':{'n':{'type':'null'}}}"));
        SchemaTexts.of(schema, SchemaOptions.STRICT.withDocuments(known))
                .takes("null")
                .refuses("1");
        assertThat(SchemaTexts.refusalOf(schema).keyword()).isEqualTo("$ref");
    }

    @Test
    void referencesThatLeadNowhereOrInACircleAreRefused() {
        assertThat(SchemaTexts.refusalOf("{'$ref':'#/nowhere'}").getMessage()).contains("leads to nothing");
        assertThat(SchemaTexts.refusalOf("{'allOf':[{'$ref':'#'}]}").getMessage())
                .contains("leads back to itself");
    }

    @Test
    void leniencyLeavesOutOnlyWhatAReferenceThatLeadsNowhereSays() {
        var schema = "{'type':'object','properties':{'a':{'type':'integer'},'b':{'$ref':'#/$defs/none'},"
                + "'c':{'$ref':'http://x/y.json'},'d':{'$ref':'#/$defs/loop','minLength':2},"
                + "'e':{'type':['string','null'],'not':{'$ref':'#none'}}},"
                + "'required':['a'],'additionalProperties':false,'$defs':{'loop':{'$ref':'#/$defs/loop'}}}";
        // When
        var texts = SchemaTexts.of(schema, SchemaOptions.LENIENT);
        // Then
        texts.takes("{'a': 1}", "{'b': [], 'a': 1, 'c': 'x', 'd': 'xx', 'e': null}")
                .refuses("{'b': 1}", "{'a': 'x'}", "{'a': 1, 'd': 'x'}", "{'a': 1, 'e': 1}", "{'a': 1, 'f': 1}");
        assertThat(texts.unenforced()).extracting(Unenforced::keyword).containsOnly("$ref");
        assertThat(JsonSchemaCompiler.unresolvedReferences(SchemaTexts.json(schema)))
                .containsExactlyInAnyOrder("#/$defs/none", "http://x/y.json", "#none");
    }
}
