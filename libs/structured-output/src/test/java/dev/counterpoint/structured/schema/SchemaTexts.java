package dev.counterpoint.structured.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The texts that a schema allows. JSON is written with single quotes.
final class SchemaTexts {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final LexemeIndex BYTES = new LexemeIndex(new TokenVocabulary(everyByte()));

    private final CompiledSchema compiled;
    private final Constraint constraint;

    SchemaTexts(CompiledSchema compiled) {
        this.compiled = compiled;
        constraint = new Constraint(compiled.grammar(), BYTES);
    }

    static SchemaTexts of(String schema) {
        return of(schema, SchemaOptions.STRICT);
    }

    static SchemaTexts of(String schema, SchemaOptions options) {
        return new SchemaTexts(JsonSchemaCompiler.compile(json(schema), options, new RegexPool()));
    }

    static SchemaRefusedException refusalOf(String schema) {
        return refusalOf(json(schema));
    }

    static SchemaRefusedException refusalOf(JsonNode schema) {
        return catchThrowableOfType(
                SchemaRefusedException.class,
                () -> JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, new RegexPool()));
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static byte[][] everyByte() {
        var tokens = new byte[256][];
        for (int value = 0; value < tokens.length; value++) {
            tokens[value] = new byte[] {(byte) value};
        }
        return tokens;
    }

    SchemaTexts takes(String... texts) {
        assertThat(texts).allSatisfy(text -> assertThat(matches(text)).isTrue());
        return this;
    }

    SchemaTexts refuses(String... texts) {
        assertThat(texts).allSatisfy(text -> assertThat(matches(text)).isFalse());
        return this;
    }

    private boolean matches(String text) {
        var matcher = constraint.start();
        for (byte value : text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)) {
            if (!matcher.accept(new byte[] {value})) {
                return false;
            }
        }
        return matcher.accepting();
    }

    List<Unenforced> unenforced() {
        return compiled.unenforced();
    }
}
