package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// A value that comes in pieces: what is there must always be the start of JSON, says Jackson, and of a value that
/// fits the schema, says the matcher that workers use too, since no validator judges beginnings.
final class ArrivingValue {
    /// Follows bytes, so it needs no tokens.
    private static final LexemeIndex NO_TOKENS = new LexemeIndex(new TokenVocabulary(new byte[1][0]));

    private final StringBuilder text = new StringBuilder();
    private final Matcher matcher;
    private final JsonParser parser;

    ArrivingValue(StrictCase one) {
        try {
            var compiled = JsonSchemaCompiler.compile(one.schema(), SchemaOptions.STRICT, RegexPool.shared());
            matcher = new Constraint(compiled.grammar(), NO_TOKENS).start();
            parser = new JsonFactory().createNonBlockingByteArrayParser();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void accept(String piece) {
        text.append(piece);
        var bytes = piece.getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length == 0 || matcher.accept(bytes))
                .as(text.toString())
                .isTrue();
        try {
            ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(bytes, 0, bytes.length);
            for (var token = parser.nextToken(); token != null && token != JsonToken.NOT_AVAILABLE; ) {
                token = parser.nextToken();
            }
        } catch (IOException e) {
            throw new AssertionError("no start of JSON: " + text, e);
        }
    }

    String text() {
        return text.toString();
    }
}
