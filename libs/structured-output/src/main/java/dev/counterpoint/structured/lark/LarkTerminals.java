package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.lark.LarkExpression.Choice;
import dev.counterpoint.structured.lark.LarkExpression.Name;
import dev.counterpoint.structured.lark.LarkExpression.Range;
import dev.counterpoint.structured.lark.LarkExpression.Repeated;
import dev.counterpoint.structured.lark.LarkExpression.Sequence;
import dev.counterpoint.structured.lark.LarkExpression.Text;
import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the terminals of a grammar match.
final class LarkTerminals {
    private static final int NESTED_MAX = 30;

    private final LarkDefinitions definitions;
    private final Map<String, TextPattern> patterns = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    LarkTerminals(LarkDefinitions definitions) {
        this.definitions = definitions;
    }

    /// An expression without rules.
    TextPattern pattern(LarkExpression expression) {
        return switch (expression) {
            case Name(var token) -> named(token);
            case Text(var token) -> LarkStrings.text(token);
            case Range(var first, var last) -> LarkStrings.range(first, last);
            case Sequence(var _, var parts) -> TextPattern.concat(patterns(parts));
            case Choice(var _, var choices) -> TextPattern.or(patterns(choices));
            case Repeated repeated -> TextPattern.repeat(pattern(repeated.part()), repeated.min(), repeated.max());
        };
    }

    private List<TextPattern> patterns(List<LarkExpression> expressions) {
        var result = new ArrayList<TextPattern>(expressions.size());
        for (var expression : expressions) {
            result.add(pattern(expression));
        }
        return result;
    }

    private TextPattern named(LarkToken name) {
        if (name.kind() == LarkToken.Kind.RULE) {
            throw name.error("A terminal cannot use the rule " + name.text() + ".");
        }
        var known = patterns.get(name.text());
        if (known != null) {
            return known;
        }
        if (!open.add(name.text()) || open.size() > NESTED_MAX) {
            throw name.error("The terminal " + name.text() + " uses itself or too many others.");
        }
        var pattern = pattern(definitions.get(name));
        open.remove(name.text());
        patterns.put(name.text(), pattern);
        return pattern;
    }
}
