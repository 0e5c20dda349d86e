package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.lark.LarkExpression.Choice;
import dev.counterpoint.structured.lark.LarkExpression.Name;
import dev.counterpoint.structured.lark.LarkExpression.Range;
import dev.counterpoint.structured.lark.LarkExpression.Repeated;
import dev.counterpoint.structured.lark.LarkExpression.Sequence;
import dev.counterpoint.structured.lark.LarkExpression.Text;
import dev.counterpoint.structured.lark.LarkToken.Kind;
import dev.counterpoint.structured.regex.Regex;
import java.util.ArrayList;
import java.util.List;

/// Reads the definitions of a grammar.
final class LarkParser {
    private static final int DEPTH_MAX = 60;
    private static final int REPEAT_MAX = 10_000;

    private final List<LarkToken> tokens;
    private final LarkDefinitions definitions = new LarkDefinitions();
    private int position;
    private int depth;

    LarkParser(String source) {
        tokens = new LarkLexer(source).read();
    }

    LarkDefinitions parse() {
        while (peek().kind() != Kind.END) {
            var token = next();
            switch (token.kind()) {
                case NEWLINE -> {}
                case DIRECTIVE -> directive(token);
                case RULE, TERMINAL -> definition(token);
                case SIGN -> prefixed(token);
                case STRING, REGEXP, NUMBER, END -> throw token.error("A definition is expected here.");
            }
        }
        return definitions;
    }

    private LarkToken peek() {
        return tokens.get(position);
    }

    private LarkToken next() {
        var token = tokens.get(position);
        position = Math.min(position + 1, tokens.size() - 1);
        return token;
    }

    private boolean take(String sign) {
        boolean found = peek().is(sign);
        if (found) {
            position++;
        }
        return found;
    }

    private void expect(String sign) {
        if (!take(sign)) {
            throw peek().error("A " + sign + " is expected here.");
        }
    }

    private void expectLineEnd() {
        if (next().kind() != Kind.NEWLINE) {
            throw tokens.get(position - 1).error("The end of the line is expected here.");
        }
    }

    /// `?name` and `!name`: marks for trees, which are not built here.
    private void prefixed(LarkToken sign) {
        var token = sign;
        while (token.is("?") || token.is("!")) {
            token = next();
        }
        if (token.kind() != Kind.RULE) {
            throw token.error("A definition is expected here.");
        }
        definition(token);
    }

    private void definition(LarkToken name) {
        if (take(".") && next().kind() != Kind.NUMBER) {
            throw peek().error("A priority is a number.");
        }
        if (peek().is("{")) {
            throw peek().error("Templates are not supported.");
        }
        expect(":");
        definitions.add(name, choice());
        expectLineEnd();
    }

    private void directive(LarkToken directive) {
        switch (directive.text()) {
            case "%ignore" -> {
                definitions.ignore(choice());
                expectLineEnd();
            }
            case "%import" -> imported();
            default -> throw directive.error(directive.text() + " is not supported.");
        }
    }

    /// `%import common.INT`, `%import common.INT -> NUMBER`, `%import common (INT, WS)`.
    private void imported() {
        var module = next();
        if (!module.text().equals("common")) {
            throw module.error("Only the module common can be imported.");
        }
        take(".");
        if (take("(")) {
            do {
                var name = next();
                definitions.add(name, LarkCommon.find(name));
            } while (take(","));
            expect(")");
        } else {
            var name = next();
            var alias = take("->") ? next() : name;
            definitions.add(alias, LarkCommon.find(name));
        }
        expectLineEnd();
    }

    private LarkExpression choice() {
        if (++depth > DEPTH_MAX) {
            throw peek().error("Brackets are nested more than " + DEPTH_MAX + " deep.");
        }
        var token = peek();
        var choices = new ArrayList<LarkExpression>();
        do {
            choices.add(sequence());
        } while (take("|"));
        depth--;
        return choices.size() == 1 ? choices.getFirst() : new Choice(token, choices);
    }

    private LarkExpression sequence() {
        var token = peek();
        var parts = new ArrayList<LarkExpression>();
        while (startsPart(peek())) {
            parts.add(repeated(part()));
        }
        if (take("->")) {
            next();
        }
        return parts.size() == 1 ? parts.getFirst() : new Sequence(token, parts);
    }

    private static boolean startsPart(LarkToken token) {
        return switch (token.kind()) {
            case RULE, TERMINAL, STRING, REGEXP -> true;
            case SIGN -> token.is("(") || token.is("[");
            case NUMBER, DIRECTIVE, NEWLINE, END -> false;
        };
    }

    private LarkExpression part() {
        var token = next();
        if (token.is("(")) {
            var inner = choice();
            expect(")");
            return inner;
        }
        if (token.is("[")) {
            var inner = choice();
            expect("]");
            return new Repeated(token, inner, 0, 1);
        }
        if (token.kind() == Kind.RULE || token.kind() == Kind.TERMINAL) {
            if (peek().is("{")) {
                throw peek().error("Templates are not supported.");
            }
            return new Name(token);
        }
        if (token.kind() == Kind.STRING && take("..")) {
            return new Range(token, next());
        }
        return new Text(token);
    }

    private LarkExpression repeated(LarkExpression part) {
        var sign = peek();
        if (take("?")) {
            return new Repeated(sign, part, 0, 1);
        }
        if (take("*")) {
            return new Repeated(sign, part, 0, Regex.UNBOUNDED);
        }
        if (take("+")) {
            return new Repeated(sign, part, 1, Regex.UNBOUNDED);
        }
        if (!take("~")) {
            return part;
        }
        int min = number();
        int max = take("..") ? number() : min;
        if (max < min) {
            throw sign.error("The range ends before it starts.");
        }
        return new Repeated(sign, part, min, max);
    }

    private int number() {
        var token = next();
        if (token.kind() != Kind.NUMBER
                || token.text().length() > 6
                || token.text().startsWith("-")) {
            throw token.error("A number from 0 to " + REPEAT_MAX + " is expected here.");
        }
        int number = Integer.parseInt(token.text());
        if (number > REPEAT_MAX) {
            throw token.error("A number from 0 to " + REPEAT_MAX + " is expected here.");
        }
        return number;
    }
}
