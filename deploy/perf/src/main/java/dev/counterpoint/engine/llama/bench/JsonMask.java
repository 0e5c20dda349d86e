package dev.counterpoint.engine.llama.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.counterpoint.engine.EarlyMask;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;

/// Holds an output to a schema, over the vocabulary of any model.
final class JsonMask implements TokenMask {
    private final Matcher matcher;
    private final TokenBits bits;

    /// A list that is longer than what is said, of objects with a text and a number.
    static final class Form {
        private static final String SCHEMA = """
                {"type": "array", "minItems": 200, "items": {"type": "object", "additionalProperties": false,
                 "required": ["name", "count"],
                 "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}}""";

        private final Constraint constraint;

        /// @param texts of the tokens of the model
        Form(byte[][] texts) {
            try {
                var schema = new JsonMapper().readTree(SCHEMA);
                var grammar = JsonSchemaCompiler.compile(schema, SchemaOptions.STRICT, new RegexPool())
                        .grammar();
                constraint = new Constraint(grammar, new LexemeIndex(new TokenVocabulary(texts)));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }

        /// As the worker makes them: the next set is worked out while the engine computes.
        TokenMask mask() {
            return new EarlyMask(new JsonMask(constraint), _ -> {});
        }
    }

    private JsonMask(Constraint constraint) {
        this.matcher = constraint.start();
        this.bits = new TokenBits(constraint.vocabulary().size());
    }

    @Override
    public long[] allowed() {
        matcher.mask(bits);
        return bits.words();
    }

    @Override
    public void accept(int token) {
        if (!matcher.accept(token)) {
            throw new IllegalArgumentException("the schema does not allow it");
        }
    }
}
