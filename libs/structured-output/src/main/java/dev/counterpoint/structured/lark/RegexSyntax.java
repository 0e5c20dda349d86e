package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.text.EcmaPattern;
import dev.counterpoint.structured.text.Spelling;
import dev.counterpoint.structured.text.UnsupportedPatternException;

/// The syntax `regex` of custom tools: one regular expression, which the whole text must match.
public final class RegexSyntax {
    private RegexSyntax() {}

    /// @throws GrammarSyntaxException when the expression is malformed or has what no automaton can do
    /// @throws dev.counterpoint.structured.grammar.UnsatisfiableException when no text fits
    /// @throws dev.counterpoint.structured.regex.TooComplexException when the current work limit does not suffice
    public static Grammar compile(String source, RegexPool pool) {
        var builder = new GrammarBuilder(pool);
        return builder.build(into(builder, source));
    }

    /// The same as a part of a larger grammar.
    static Rule into(GrammarBuilder builder, String source) {
        var start = builder.rule();
        try {
            var pattern = EcmaPattern.parseWhole(source);
            builder.add(start, builder.terminal(pattern.toRegex(builder.regexes(), Spelling.PLAIN)));
        } catch (UnsupportedPatternException unsupported) {
            throw new GrammarSyntaxException(String.valueOf(unsupported.getMessage()), 1, 1);
        }
        return start;
    }
}
