package dev.counterpoint.structured.grammar;

import dev.counterpoint.structured.grammar.Symbol.Condition;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.grammar.Symbol.Terminal;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Collects the rules of a grammar. A rule may be used before it has alternatives and may use itself; one that
/// repeats does so on the left (`list: list "," item | item`), which keeps the matcher's memory small. Not
/// thread-safe.
public final class GrammarBuilder {
    private final RegexPool regexes;
    private final List<List<List<Symbol>>> alternatives = new ArrayList<>();

    /// @param regexes made all expressions of this grammar
    public GrammarBuilder(RegexPool regexes) {
        this.regexes = regexes;
    }

    /// What makes this grammar's expressions.
    public RegexPool regexes() {
        return regexes;
    }

    /// Text that this expression matches.
    public Symbol terminal(Regex regex) {
        return new Terminal(regex);
    }

    /// This text alone.
    public Symbol literal(String text) {
        return new Terminal(regexes.literal(text));
    }

    /// Nothing, where the marks set so far allow it.
    ///
    /// @param needs see [Symbol.Condition]
    public Symbol condition(Guard guard, List<? extends Symbol> needs) {
        return new Condition(guard, needs);
    }

    /// A new rule, which matches nothing until [#add] gives it alternatives.
    public Rule rule() {
        WorkLimit.spend(1);
        alternatives.add(new ArrayList<>());
        return new Rule(alternatives.size() - 1);
    }

    /// One more alternative of a rule; without symbols it matches the empty text.
    public void add(Rule rule, Symbol... sequence) {
        add(rule, Arrays.asList(sequence));
    }

    public void add(Rule rule, List<? extends Symbol> sequence) {
        WorkLimit.spend(1 + sequence.size());
        alternatives.get(rule.number()).add(List.copyOf(sequence));
    }

    /// One after the other.
    public Symbol sequence(Symbol... parts) {
        if (parts.length == 1) {
            return parts[0];
        }
        var rule = rule();
        add(rule, parts);
        return rule;
    }

    /// Any of them.
    public Symbol anyOf(List<? extends Symbol> choices) {
        if (choices.size() == 1) {
            return choices.getFirst();
        }
        var rule = rule();
        choices.forEach(choice -> add(rule, choice));
        return rule;
    }

    /// It or the empty text.
    public Symbol optional(Symbol part) {
        var rule = rule();
        add(rule);
        add(rule, part);
        return rule;
    }

    /// @throws UnsatisfiableException when no text at all fits
    /// @throws dev.counterpoint.structured.regex.TooComplexException when the current [WorkLimit] does not suffice
    public Grammar build(Rule start) {
        return new GrammarCompiler(regexes, alternatives).compile(start);
    }
}
