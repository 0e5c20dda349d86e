package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import java.util.ArrayList;

/// Reads the syntax of a pattern: that of ECMA-262 with the flag `u`, and what other dialects have beyond it where
/// its meaning is clear.
final class EcmaParser {
    private static final int DEPTH_MAX = 200;
    private static final int REPEAT_MAX = 1_000_000;
    private static final Characters LINE_ENDS = Characters.of('\n', '\r', 0x2028, 0x2029);

    private final PatternSource source;
    private final EcmaEscapes escapes;
    private int depth;
    private boolean ignoreCase;
    private boolean dotAll;
    private Characters dot = LINE_ENDS.complement();

    EcmaParser(String pattern) {
        source = new PatternSource(pattern);
        escapes = new EcmaEscapes(source);
    }

    /// Where a dot is every character but a line feed.
    static EcmaParser ofWhole(String pattern, boolean ignoreCase, boolean dotAll) {
        var parser = new EcmaParser(pattern);
        parser.dot = Characters.of('\n').complement();
        parser.ignoreCase = ignoreCase;
        parser.dotAll = dotAll;
        return parser;
    }

    EcmaNode parse() {
        var node = choice();
        if (!source.atEnd()) {
            throw unsupported("A ) without (");
        }
        return node;
    }

    private EcmaNode choice() {
        if (++depth > DEPTH_MAX) {
            throw unsupported("A group nested more than " + DEPTH_MAX + " deep");
        }
        boolean caseOutside = ignoreCase;
        boolean dotOutside = dotAll;
        var choices = new ArrayList<EcmaNode>();
        do {
            choices.add(sequence());
        } while (source.take("|"));
        ignoreCase = caseOutside;
        dotAll = dotOutside;
        depth--;
        return EcmaNode.choice(choices);
    }

    private EcmaNode sequence() {
        var parts = new ArrayList<EcmaNode>();
        while (!source.atEnd() && source.peek() != '|' && source.peek() != ')') {
            parts.add(quantified(atom()));
        }
        return EcmaNode.sequence(parts);
    }

    private EcmaNode atom() {
        int character = source.peek();
        return switch (character) {
            case '*', '+', '?' -> throw unsupported("A quantifier with nothing before it");
            case '{' -> {
                if (isQuantifier()) {
                    throw unsupported("A quantifier with nothing before it");
                }
                yield set(Characters.of(source.next()));
            }
            case '^' -> assertion(1, new EcmaNode.Behind(Characters.NONE, true));
            case '$' -> assertion(1, new EcmaNode.End());
            case '(' -> group();
            case '[' -> set(new EcmaClass(source, escapes).read());
            case '\\' -> escape();
            case '.' -> {
                source.next();
                yield new EcmaNode.Text(TextPattern.of(dotAll ? Characters.ALL : dot));
            }
            default -> set(Characters.of(source.next()));
        };
    }

    private EcmaNode set(Characters set) {
        return new EcmaNode.Text(TextPattern.of(ignoreCase ? CaseFolding.close(set) : set));
    }

    private EcmaNode assertion(int length, EcmaNode node) {
        source.skip(length);
        return node;
    }

    private EcmaNode escape() {
        return switch (source.peek(1)) {
            case 'b' -> assertion(2, new EcmaNode.Boundary(false));
            case 'B' -> assertion(2, new EcmaNode.Boundary(true));
            case 'A' -> assertion(2, new EcmaNode.Behind(Characters.NONE, true));
            case 'z', 'Z' -> assertion(2, new EcmaNode.End());
            default -> {
                source.next();
                yield set(escapes.read().set());
            }
        };
    }

    private EcmaNode group() {
        int start = source.position();
        source.next();
        if (!source.take("?") || source.take(":")) {
            return closed(start);
        }
        if (source.take("=")) {
            return new EcmaNode.Ahead(closed(start), false);
        }
        if (source.take("!")) {
            return new EcmaNode.Ahead(closed(start), true);
        }
        if (source.take("<=")) {
            return EcmaLookbehind.of(closed(start), false, start);
        }
        if (source.take("<!")) {
            return EcmaLookbehind.of(closed(start), true, start);
        }
        if (source.take("<") || source.take("P<")) {
            source.until('>', "A group name without >");
            return closed(start);
        }
        return flagged(start);
    }

    private EcmaNode closed(int start) {
        var node = choice();
        if (!source.take(")")) {
            throw new UnsupportedPatternException("A ( without )", start);
        }
        return node;
    }

    /// `(?i)` holds to the end of the group around it, `(?i:...)` inside.
    private EcmaNode flagged(int start) {
        boolean caseOutside = ignoreCase;
        boolean dotOutside = dotAll;
        boolean on = true;
        while (source.peek() != ')' && source.peek() != ':') {
            switch (source.next()) {
                case '-' -> on = false;
                case 'i' -> ignoreCase = on;
                case 's' -> dotAll = on;
                case 'u' -> {}
                default -> throw new UnsupportedPatternException("The group (?...", start);
            }
        }
        if (source.next() == ')') {
            return EcmaNode.EMPTY;
        }
        var node = closed(start);
        ignoreCase = caseOutside;
        dotAll = dotOutside;
        return node;
    }

    private EcmaNode quantified(EcmaNode atom) {
        int start = source.position();
        int[] range = quantifier();
        if (range.length == 0) {
            return atom;
        }
        if (atom instanceof EcmaNode.Behind || atom instanceof EcmaNode.End || atom instanceof EcmaNode.Boundary) {
            throw new UnsupportedPatternException("A quantifier behind an assertion", start);
        }
        if (range[1] < range[0]) {
            throw new UnsupportedPatternException("A quantifier that ends before it starts", start);
        }
        if (!source.take("?") && source.looksAt("+")) {
            throw new UnsupportedPatternException("A possessive quantifier", start);
        }
        return EcmaNode.repeated(atom, range[0], range[1]);
    }

    /// Least and greatest number, or nothing when there is no quantifier.
    private int[] quantifier() {
        if (source.take("*")) {
            return new int[] {0, Regex.UNBOUNDED};
        }
        if (source.take("+")) {
            return new int[] {1, Regex.UNBOUNDED};
        }
        if (source.take("?")) {
            return new int[] {0, 1};
        }
        if (!isQuantifier()) {
            return new int[0];
        }
        source.next();
        int min = number();
        int max = min;
        if (source.take(",")) {
            max = source.peek() == '}' ? Regex.UNBOUNDED : number();
        }
        source.next();
        return new int[] {min, max};
    }

    /// True before `{2}`, `{2,}` and `{2,3}`; any other brace stands for itself.
    private boolean isQuantifier() {
        if (source.peek() != '{') {
            return false;
        }
        if (source.peek(1) == ',' && PatternSource.isDigit(source.peek(2))) {
            throw unsupported("A quantifier without a least number");
        }
        int end = digitsEnd(1);
        if (end == 1) {
            return false;
        }
        return source.peek(end) == '}' || source.peek(end) == ',' && source.peek(digitsEnd(end + 1)) == '}';
    }

    private int digitsEnd(int distance) {
        int end = distance;
        while (PatternSource.isDigit(source.peek(end))) {
            end++;
        }
        return end;
    }

    private int number() {
        long number = 0;
        while (PatternSource.isDigit(source.peek())) {
            number = 10 * number + source.next() - '0';
            if (number > REPEAT_MAX) {
                throw unsupported("A repetition of more than " + REPEAT_MAX);
            }
        }
        return (int) number;
    }

    private UnsupportedPatternException unsupported(String construct) {
        return new UnsupportedPatternException(construct, source.position());
    }
}
