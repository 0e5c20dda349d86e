package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import java.util.HashMap;
import java.util.Map;

/// The signs between the values of a JSON text, with the blanks that belong to them: so there are few terminals.
final class Punctuation {
    final Symbol openObject;
    final Symbol closeObject;
    final Symbol emptyObject;
    final Symbol openArray;
    final Symbol closeArray;
    final Symbol emptyArray;
    final Symbol comma;
    private final GrammarBuilder builder;
    private final ScalarTerminals scalars;
    private final RegexPool pool;
    private final Regex colon;
    private final Map<String, Symbol> keys = new HashMap<>();

    Punctuation(GrammarBuilder builder, ScalarTerminals scalars, Spacing spacing) {
        this.builder = builder;
        this.scalars = scalars;
        pool = builder.regexes();
        var space = spacing.regex(pool);
        openObject = builder.terminal(pool.concat(pool.literal("{"), space));
        closeObject = builder.terminal(pool.concat(space, pool.literal("}")));
        emptyObject = builder.terminal(pool.concat(pool.literal("{"), space, pool.literal("}")));
        openArray = builder.terminal(pool.concat(pool.literal("["), space));
        closeArray = builder.terminal(pool.concat(space, pool.literal("]")));
        emptyArray = builder.terminal(pool.concat(pool.literal("["), space, pool.literal("]")));
        comma = builder.terminal(pool.concat(space, pool.literal(","), space));
        colon = pool.concat(space, pool.literal(":"), space);
    }

    /// A name and the colon after it.
    Symbol key(String name) {
        return keys.computeIfAbsent(name, one -> builder.terminal(scalars.quoted(one, colon)));
    }

    Regex key(Regex quoted) {
        return pool.concat(quoted, colon);
    }
}
