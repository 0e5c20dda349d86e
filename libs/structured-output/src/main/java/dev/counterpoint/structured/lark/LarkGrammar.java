package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.grammar.Symbol.Terminal;
import dev.counterpoint.structured.lark.LarkExpression.Choice;
import dev.counterpoint.structured.lark.LarkExpression.Name;
import dev.counterpoint.structured.lark.LarkExpression.Range;
import dev.counterpoint.structured.lark.LarkExpression.Repeated;
import dev.counterpoint.structured.lark.LarkExpression.Sequence;
import dev.counterpoint.structured.lark.LarkExpression.Text;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.text.Spelling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The syntax `lark` of custom tools: a grammar as the Python library Lark reads it, with the rule `start`.
///
/// Lark splits a text into terminals before it applies the rules, and each terminal takes as much as it can. Here a
/// terminal may end wherever it matches and the rules decide, so a text may fit that Lark would split otherwise:
/// `start: /a+/ "a"` has no text for Lark. Priorities and lazy quantifiers say nothing here.
/// What is ignored may stand at the start and behind each terminal.
public final class LarkGrammar {
    private final RegexPool pool;
    private final LarkDefinitions definitions;
    private final LarkTerminals terminals;
    private final GrammarBuilder builder;
    private final Regex skipped;
    private final Map<String, Rule> rules = new HashMap<>();

    private LarkGrammar(LarkDefinitions definitions, GrammarBuilder builder) {
        this.builder = builder;
        this.definitions = definitions;
        pool = builder.regexes();
        terminals = new LarkTerminals(definitions);
        var ignored = new ArrayList<Regex>();
        for (var expression : definitions.ignored()) {
            ignored.add(regex(expression));
        }
        skipped = pool.star(pool.or(ignored));
    }

    /// @throws GrammarSyntaxException when the grammar is malformed or uses templates, `%declare` and its
    ///     like, other modules than `common` or regular expressions that no automaton can do
    /// @throws dev.counterpoint.structured.grammar.UnsatisfiableException when no text fits
    /// @throws dev.counterpoint.structured.regex.TooComplexException when the current work limit does not suffice
    public static Grammar compile(String source, RegexPool pool) {
        var builder = new GrammarBuilder(pool);
        return builder.build(into(builder, source));
    }

    /// The same as a part of a larger grammar.
    static Rule into(GrammarBuilder builder, String source) {
        return new LarkGrammar(new LarkParser(source).parse(), builder).write();
    }

    private Rule write() {
        definitions.byName().forEach((name, expression) -> {
            if (isRule(name)) {
                rules.put(name, builder.rule());
            }
        });
        var start = rules.get("start");
        if (start == null) {
            throw new GrammarSyntaxException("There is no rule start.", 1, 1);
        }
        definitions.byName().forEach(this::define);
        if (skipped == pool.empty()) {
            return start;
        }
        var all = builder.rule();
        builder.add(all, builder.terminal(skipped), start);
        return all;
    }

    private static boolean isRule(String name) {
        return name.chars().anyMatch(letter -> letter >= 'a' && letter <= 'z');
    }

    private void define(String name, LarkExpression expression) {
        var rule = rules.get(name);
        if (rule == null) {
            terminals.pattern(expression);
            return;
        }
        for (var choice : expression instanceof Choice(var _, var choices) ? choices : List.of(expression)) {
            builder.add(rule, sequence(choice));
        }
    }

    private List<Symbol> sequence(LarkExpression expression) {
        var result = new ArrayList<Symbol>();
        for (var part : expression instanceof Sequence(var _, var parts) ? parts : List.of(expression)) {
            result.add(symbol(part));
        }
        return result;
    }

    private Symbol symbol(LarkExpression expression) {
        return switch (expression) {
            case Name(var token) when token.kind() == LarkToken.Kind.RULE -> rule(token);
            case Name _, Text _, Range _ -> new Terminal(pool.concat(regex(expression), skipped));
            case Sequence _ -> builder.sequence(sequence(expression).toArray(Symbol[]::new));
            case Choice(var _, var choices) -> {
                var rule = builder.rule();
                choices.forEach(choice -> builder.add(rule, sequence(choice)));
                yield rule;
            }
            case Repeated repeated -> repeated(symbol(repeated.part()), repeated);
        };
    }

    private Rule rule(LarkToken name) {
        definitions.get(name);
        return Objects.requireNonNull(rules.get(name.text()));
    }

    private Regex regex(LarkExpression expression) {
        return terminals.pattern(expression).toRegex(pool, Spelling.PLAIN);
    }

    private Symbol repeated(Symbol part, Repeated range) {
        if (range.max() == 0) {
            return builder.sequence();
        }
        if (part instanceof Terminal(var regex)) {
            return new Terminal(pool.repeat(regex, range.min(), range.max()));
        }
        if (range.min() == 0 && range.max() == 1) {
            return builder.optional(part);
        }
        var parts = new ArrayList<Symbol>();
        for (int i = 0; i < range.min(); i++) {
            parts.add(part);
        }
        parts.add(range.max() == Regex.UNBOUNDED ? anyNumber(part) : upTo(range.max() - range.min(), part));
        return builder.sequence(parts.toArray(Symbol[]::new));
    }

    private Symbol anyNumber(Symbol part) {
        var list = builder.rule();
        builder.add(list);
        builder.add(list, list, part);
        return list;
    }

    private Symbol upTo(int count, Symbol part) {
        var rest = builder.rule();
        builder.add(rest);
        for (int i = 0; i < count; i++) {
            var more = builder.rule();
            builder.add(more);
            builder.add(more, part, rest);
            rest = more;
        }
        return rest;
    }
}
