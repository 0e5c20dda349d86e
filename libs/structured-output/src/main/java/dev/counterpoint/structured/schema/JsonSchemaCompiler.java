package dev.counterpoint.structured.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.UnsatisfiableException;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Compiles JSON Schema, draft-04 to 2020-12, to grammars: exactly the texts that fit, or a refusal that says why
/// not.
///
/// A property that no schema names may come twice, since a grammar cannot remember its name.
public final class JsonSchemaCompiler {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    /// About half a second and 200 MB in the worst case.
    private static final long STEPS_MAX = 400_000;

    private static final int NESTING_MAX = 512;

    private JsonSchemaCompiler() {}

    /// The values that fit a schema.
    ///
    /// @throws SchemaRefusedException when the schema is invalid, fits no value, is too complex, or demands what
    ///     cannot be enforced and the options are not lenient
    public static CompiledSchema compile(JsonNode schema, SchemaOptions options, RegexPool pool) {
        return limited(() -> {
            var builder = new GrammarBuilder(pool);
            var embedded = write(builder, schema, options);
            return new CompiledSchema(built(builder, embedded.value()), embedded.unenforced());
        });
    }

    /// The same as a part of a larger grammar, within that one's work limit. A part that fits no value makes
    /// whatever needs it fit nothing.
    ///
    /// @throws SchemaRefusedException as [#compile]
    public static EmbeddedSchema into(GrammarBuilder builder, JsonNode schema, SchemaOptions options) {
        return limited(() -> write(builder, schema, options));
    }

    /// A value that a client describes, as a part of a larger grammar. Under lenient options it is any object where
    /// its schema cannot be enforced.
    ///
    /// @param schema as the client wrote it; null for any object
    /// @throws IllegalArgumentException when it cannot be enforced and the options are not lenient
    public static Symbol value(GrammarBuilder builder, @Nullable String schema, SchemaOptions options) {
        try {
            return schema == null
                    ? anyObject(builder, Spacing.COMMON)
                    : into(builder, JSON.readTree(schema), options).value();
        } catch (SchemaRefusedException | JsonProcessingException e) {
            if (!options.lenient()) {
                throw new IllegalArgumentException("a strict schema that cannot be enforced", e);
            }
            return anyObject(builder, Spacing.COMMON);
        }
    }

    /// True if no value fits a schema. One that cannot be compiled may still fit some.
    public static boolean fitsNothing(JsonNode schema, SchemaOptions options, RegexPool pool) {
        try (var _ = WorkLimit.of(STEPS_MAX)) {
            var builder = new GrammarBuilder(pool);
            built(builder, write(builder, schema, options).value());
            return false;
        } catch (UnsatisfiableException _) {
            return true;
        } catch (SchemaRefusedException | TooComplexException _) {
            return false;
        }
    }

    /// The references of a schema that lead nowhere, as it writes them.
    public static List<String> unresolvedReferences(JsonNode schema) {
        var documents = new SchemaDocuments(Map.of());
        documents.start(schema);
        return documents.unresolved();
    }

    /// Any JSON object.
    public static Symbol anyObject(GrammarBuilder builder, Spacing spacing) {
        var context = new SchemaScope(SchemaOptions.STRICT.withSpacing(spacing), builder.regexes());
        return new ValueGrammar(builder, context).anyObject();
    }

    /// Any JSON object, as a grammar of its own.
    public static Grammar anyObject(RegexPool pool, Spacing spacing) {
        var builder = new GrammarBuilder(pool);
        return built(builder, anyObject(builder, spacing));
    }

    private static Grammar built(GrammarBuilder builder, Symbol value) {
        var start = builder.rule();
        builder.add(start, value);
        return builder.build(start);
    }

    private static EmbeddedSchema write(GrammarBuilder builder, JsonNode schema, SchemaOptions options) {
        check(schema);
        var context = new SchemaScope(options, builder.regexes());
        var goal = context.fits(context.documents.start(schema), true);
        var symbol = new ValueGrammar(builder, context).write(goal);
        return new EmbeddedSchema(symbol, context.unenforced());
    }

    private static <T> T limited(Supplier<T> work) {
        try (var _ = WorkLimit.of(STEPS_MAX)) {
            return work.get();
        } catch (TooComplexException e) {
            throw new SchemaRefusedException("", "", "The schema is too complex. " + e.getMessage());
        } catch (UnsatisfiableException _) {
            throw new SchemaRefusedException("", "", "The schema fits no value.");
        }
    }

    private record Level(JsonNode node, int depth) {}

    /// A schema is walked without recursion before anything else looks at it.
    private static void check(JsonNode schema) {
        var toDo = new ArrayDeque<Level>();
        toDo.push(new Level(schema, 0));
        while (!toDo.isEmpty()) {
            var next = toDo.pop();
            if (next.depth > NESTING_MAX) {
                throw new SchemaRefusedException(
                        "", "", "The schema is nested more than " + NESTING_MAX + " levels deep.");
            }
            for (var child : next.node) {
                WorkLimit.spend(1);
                if (child.isContainerNode()) {
                    toDo.push(new Level(child, next.depth + 1));
                }
            }
        }
    }
}
