package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.SchemaRefusedException;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Compiles schemas and reads their values token for token, each of which must be in the mask before it.
final class SchemaPlay {
    private final LexemeIndex index;
    private final SchemaOptions options;
    private final Supplier<RegexPool> pool;
    private final TokenBits mask;

    SchemaPlay(LexemeIndex index, SchemaOptions options) {
        this(index, options, RegexPool::shared);
    }

    /// @param pool where a schema's expressions live
    SchemaPlay(LexemeIndex index, SchemaOptions options, Supplier<RegexPool> pool) {
        this.index = index;
        this.options = options;
        this.pool = pool;
        mask = new TokenBits(index.vocabulary().size());
    }

    /// @throws SchemaRefusedException when it cannot be enforced
    Constraint compile(JsonNode schema) {
        var compiled = JsonSchemaCompiler.compile(schema, options, pool.get());
        return new Constraint(compiled.grammar(), index);
    }

    SchemaOutcome play(SchemaCase schema) {
        var text = schema.schema().toString();
        long start = System.nanoTime();
        Constraint constraint;
        try {
            constraint = compile(SchemaCase.parsed(text));
            constraint.start().mask(mask);
        } catch (SchemaRefusedException e) {
            return SchemaOutcome.refused(schema, e.keyword(), String.valueOf(e.getMessage()));
        } catch (TooComplexException e) {
            return SchemaOutcome.refused(schema, "first mask", String.valueOf(e.getMessage()));
        }
        long compileNanos = System.nanoTime() - start;
        var steps = new ArrayList<Long>();
        var accepted = new ArrayList<Boolean>();
        var failures = new ArrayList<String>();
        for (var instance : schema.instances()) {
            try {
                accepted.add(accepts(constraint.start(), ModelTokens.encode(instance.text()), steps));
            } catch (TooComplexException e) {
                accepted.add(false);
                failures.add(schema.id() + " test " + (accepted.size() - 1) + ": " + e.getMessage());
            }
        }
        return new SchemaOutcome(schema, null, compileNanos, steps, accepted, failures);
    }

    private boolean accepts(Matcher matcher, int[] tokens, List<Long> steps) {
        for (int token : tokens) {
            long start = System.nanoTime();
            matcher.mask(mask);
            boolean taken = matcher.accept(token);
            steps.add(System.nanoTime() - start);
            if (mask.contains(token) != taken) {
                throw new IllegalStateException(
                        "the mask says " + !taken + " of token " + token + ", accept() " + taken);
            }
            if (!taken) {
                return false;
            }
        }
        return matcher.accepting();
    }
}
