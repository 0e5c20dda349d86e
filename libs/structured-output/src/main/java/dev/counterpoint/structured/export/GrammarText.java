package dev.counterpoint.structured.export;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.TooComplexException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Writes a grammar down for a server that enforces it. Expressions become rules over characters, one for each state
/// of their automaton; counted repetitions stay counted. Left recursion becomes repetition.
///
/// What servers count badly is written wider than it is ([#REPEATED_MAX]), so what comes has to be checked.
public final class GrammarText {
    /// Characters of a text.
    private static final int LENGTH_MAX = 256 * 1024;

    private static final int RULES_MAX = 4_000;
    /// Counted repetitions up to here are unrolled by their automaton.
    private static final int UNROLLED_MAX = 4;
    /// Longer repetitions have no end: llama.cpp refuses more than 2,000.
    private static final int REPEATED_MAX = 1_000;

    private static final String NOTHING = "\"\"";

    private final Grammar grammar;
    private final GrammarDialect dialect;
    private final StringBuilder text = new StringBuilder();
    private final Map<Regex, String> states = new HashMap<>();
    private final Deque<Regex> toDo = new ArrayDeque<>();
    private int rules;

    private GrammarText(Grammar grammar, GrammarDialect dialect) {
        this.grammar = grammar;
        this.dialect = dialect;
    }

    /// The grammar in a dialect, its start rule named `root`.
    ///
    /// @return null when it is too large, or starts within a character
    public static @Nullable String of(Grammar grammar, GrammarDialect dialect) {
        try {
            return new GrammarText(grammar, dialect).write();
        } catch (UnwritableException | TooComplexException _) {
            return null;
        }
    }

    private String write() {
        add("root", "r" + grammar.start());
        var rulesInOrder = new LeftRecursionRemoval(grammar);
        for (int rule = 0; rule < grammar.rules(); rule++) {
            var alternatives = IntStream.of(grammar.alternatives(rule))
                    .mapToObj(this::alternative)
                    .toList();
            add("r" + rule, rulesInOrder.next(alternatives));
        }
        while (!toDo.isEmpty()) {
            var state = toDo.remove();
            add(String.valueOf(states.get(state)), body(state));
        }
        return text.toString();
    }

    private void add(String name, String body) {
        text.append(name).append(" ::= ").append(body).append('\n');
        if (++rules > RULES_MAX || text.length() > LENGTH_MAX) {
            throw new UnwritableException("the grammar is too large");
        }
    }

    private LeftRecursionRemoval.Alternative alternative(int position) {
        int first = grammar.symbol(position);
        boolean startsWithRule = first != Grammar.END && !Grammar.isTerminal(first) && !Grammar.isGuard(first);
        var text = new ArrayList<String>();
        for (int at = startsWithRule ? position + 1 : position; grammar.symbol(at) != Grammar.END; at++) {
            int symbol = grammar.symbol(at);
            if (Grammar.isGuard(symbol)) {
                throw new UnwritableException("servers know no guards");
            }
            text.add(Grammar.isTerminal(symbol) ? follow(grammar.terminal(symbol)) : "r" + symbol);
        }
        return new LeftRecursionRemoval.Alternative(startsWithRule ? first : -1, text);
    }

    private static String join(List<String> parts) {
        var said = parts.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
        return said.isEmpty() ? NOTHING : said;
    }

    /// A state as a part of a sequence: the characters that must come first, then its rule; empty where it ends.
    private String follow(Regex from) {
        var literal = new StringBuilder();
        var state = from;
        while (state != state.pool().empty() && !state.nullable() && counted(state) == null) {
            var only = CodePointSteps.of(state).onlyOne();
            if (only == null) {
                break;
            }
            literal.append(escaped(only.getKey()));
            state = only.getValue();
        }
        var rest = state == state.pool().empty() ? "" : name(state);
        return literal.isEmpty() ? rest : "\"" + literal + "\"" + (rest.isEmpty() ? "" : " " + rest);
    }

    private String name(Regex state) {
        var known = states.get(state);
        if (known == null) {
            known = "s" + states.size();
            states.put(state, known);
            toDo.add(state);
        }
        return known;
    }

    private static Regex.@Nullable Head counted(Regex state) {
        var head = state.head();
        boolean many =
                head != null && (head.max() == Regex.UNBOUNDED ? head.min() > UNROLLED_MAX : head.max() > UNROLLED_MAX);
        return many ? head : null;
    }

    private String body(Regex state) {
        var head = counted(state);
        if (head != null) {
            return "(%s)%s %s".formatted(orNothing(follow(head.repeated())), times(head), follow(head.rest()));
        }
        var steps = CodePointSteps.of(state);
        var alternatives = new ArrayList<String>();
        if (CodePointSteps.free(state)) {
            return anyText(steps, state);
        }
        steps.characters()
                .forEach((target, ranges) -> alternatives.add(join(List.of(characters(ranges), follow(target)))));
        addSpecials(steps, alternatives);
        if (state.nullable()) {
            alternatives.add(NOTHING);
        }
        return String.join(" | ", alternatives);
    }

    private static String orNothing(String part) {
        return part.isEmpty() ? NOTHING : part;
    }

    private static String times(Regex.Head head) {
        int min = Math.min(head.min(), REPEATED_MAX);
        return head.max() > REPEATED_MAX ? "{" + min + ",}" : "{" + min + "," + head.max() + "}";
    }

    private void addSpecials(CodePointSteps steps, List<String> alternatives) {
        steps.specials()
                .forEach((target, numbers) ->
                        numbers.forEach(number -> alternatives.add(join(List.of(special(number), follow(target))))));
    }

    /// Any tokens, up to those that lead on. As characters they would swallow the tokens too.
    private String anyText(CodePointSteps steps, Regex state) {
        var exits = steps.specials().values().stream()
                .flatMap(List::stream)
                .map(number -> number + dialect.firstSpecial())
                .filter(id -> !dialect.ends().contains(id))
                .toList();
        var alternatives = new ArrayList<String>();
        addSpecials(steps, alternatives);
        if (state.nullable()) {
            alternatives.add(NOTHING);
        }
        return "(%s)* (%s)".formatted(allBut(exits), String.join(" | ", alternatives));
    }

    private String allBut(List<Integer> ids) {
        return switch (dialect.notation()) {
            case GBNF -> {
                if (ids.size() > 1) {
                    throw new UnwritableException("GBNF excludes one token at a time");
                }
                yield ids.isEmpty() ? "." : "!<[" + ids.getFirst() + "]>";
            }
            case XGRAMMAR ->
                ids.isEmpty()
                        ? "[^\\x00]"
                        : "ExcludeToken(" + ids.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")";
        };
    }

    private String special(int number) {
        int id = number + dialect.firstSpecial();
        if (dialect.ends().contains(id)) {
            return "";
        }
        return switch (dialect.notation()) {
            case GBNF -> "<[" + id + "]>";
            case XGRAMMAR -> "Token(" + id + ")";
        };
    }

    private static String characters(List<CodePointSteps.Range> ranges) {
        return ranges.stream()
                .map(range -> escaped(range.from()) + (range.from() == range.to() ? "" : "-" + escaped(range.to())))
                .collect(Collectors.joining("", "[", "]"));
    }

    private static String escaped(int codePoint) {
        if (codePoint < 0x80) {
            return Character.isLetterOrDigit(codePoint)
                    ? Character.toString(codePoint)
                    : "\\u%04X".formatted(codePoint);
        }
        return codePoint <= 0xffff ? "\\u%04X".formatted(codePoint) : "\\U%08X".formatted(codePoint);
    }
}
