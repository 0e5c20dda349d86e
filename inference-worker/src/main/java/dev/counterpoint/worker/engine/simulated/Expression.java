package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Arithmetic found in a text, in signs or in words, worked out exactly and step by step.
final class Expression {
    private static final Pattern NO_ARITHMETIC =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}|\\S{1,64}@\\S{1,64}|https?://\\S{1,2000}|\\d{1,2}:\\d{2}"
                    + "|\\d+/\\d+/\\d+|\\+\\d[\\d -]{6,}|\\b\\d{3}-\\d{3,4}(?:-\\d{4})?\\b");
    /// A sign, a number (in words or digits), or a word that ends what came before.
    private static final Pattern PIECE =
            Pattern.compile("\\d{1,3}(?:,\\d{3}){1,30}(?:\\.\\d+)?|\\d+(?:\\.\\d+)?|\\.\\d+|\\*\\*"
                    + "|[-+*/^%()×÷·−√]|\\p{L}[\\p{L}'-]*|[^\\s]");
    private static final String OPERAND = "(-?\\d[\\d.,]*|[a-z]{3,9}(?:-[a-z]{3,5})?)";
    /// Words and phrases that stand for signs, in the order in which they are replaced.
    private static final List<Rewrite> REWRITES = List.of(
            new Rewrite("\\bmultiply " + OPERAND + " (?:by|with|and) " + OPERAND, "$1 * $2"),
            new Rewrite("\\bdivide " + OPERAND + " by " + OPERAND, "$1 / $2"),
            new Rewrite("\\badd " + OPERAND + " (?:and|to) " + OPERAND, "$1 + $2"),
            new Rewrite("\\bsubtract " + OPERAND + " from " + OPERAND, "$2 - $1"),
            new Rewrite("multiplied by|\\btimes\\b", "*"),
            new Rewrite("divided by", "/"),
            new Rewrite("raised to the power of|to the power of", "^"),
            new Rewrite("\\bsquare root of\\b", "√"),
            new Rewrite("\\bsquared\\b", "^ 2"),
            new Rewrite("\\bcubed\\b", "^ 3"),
            new Rewrite("(?:%|\\bpercent) of\\b", "/ 100 *"),
            new Rewrite("\\bhalf (?:of )?(?=\\d)", "0.5 * "),
            new Rewrite("\\btwice\\b|\\bdouble\\b", "2 *"),
            new Rewrite("(?<=\\d)\\s*[x×]\\s*(?=\\d)", " * "),
            new Rewrite("added to|\\bplus\\b", "+"),
            new Rewrite("\\bminus\\b", "-"),
            new Rewrite("\\bmod(?:ulo)?\\b", "%"));

    private static final int PIECES_MAX = 400;

    private final List<String> pieces;
    private final List<String> steps = new ArrayList<>();
    private int at;

    private Expression(List<String> pieces) {
        this.pieces = pieces;
    }

    /// @param text in signs
    /// @param steps one line for each operation
    record Worked(String text, Rational value, List<String> steps) {}

    /// The longest expression of a text that has an operation and a value; null when there is none.
    static @Nullable Worked find(String text) {
        Worked best = null;
        int bestSize = 0;
        for (var run : runs(text)) {
            var worked = work(run);
            if (worked != null && run.size() > bestSize) {
                best = worked;
                bestSize = run.size();
            }
        }
        return best;
    }

    /// The longest expression in signs, as a list of one; empty when there is none.
    static List<String> asText(String text) {
        var found = find(text);
        return found == null ? List.of() : List.of(found.text());
    }

    private static List<List<String>> runs(String text) {
        var runs = new ArrayList<List<String>>();
        var run = new ArrayList<String>();
        var match = PIECE.matcher(inSigns(NO_ARITHMETIC.matcher(text).replaceAll(" ; ")));
        while (match.find()) {
            var sign = sign(match.group());
            if (sign != null && run.size() < PIECES_MAX) {
                run.add(sign);
            } else if (!run.isEmpty()) {
                runs.add(run);
                run = new ArrayList<>();
            }
        }
        runs.add(run);
        return runs.stream().map(Expression::trimmed).toList();
    }

    private static String inSigns(String text) {
        var signs = Words.lower(text);
        for (var rewrite : REWRITES) {
            signs = rewrite.phrase().matcher(signs).replaceAll(rewrite.signs());
        }
        return signs;
    }

    private record Rewrite(Pattern phrase, String signs) {
        Rewrite(String phrase, String signs) {
            this(Pattern.compile(phrase), signs);
        }
    }

    private static @Nullable String sign(String piece) {
        char first = piece.charAt(0);
        if (Character.isDigit(first)) {
            return piece.replace(",", "");
        }
        if (Character.isLetter(first)) {
            var number = Words.number(piece);
            return number == null ? null : number.toPlainString();
        }
        return switch (piece) {
            case "×", "·", "*" -> "*";
            case "÷", "/" -> "/";
            case "−", "-" -> "-";
            case "**", "^" -> "^";
            case "+", "%", "(", ")", "√" -> piece;
            default -> first == '.' && piece.length() > 1 ? "0" + piece : null;
        };
    }

    private static List<String> trimmed(List<String> run) {
        int end = run.size();
        while (end > 0 && "+-*/^(√".contains(run.get(end - 1))) {
            end--;
        }
        int begin = 0;
        while (begin < end && "+*/^)%".contains(run.get(begin))) {
            begin++;
        }
        return run.subList(begin, end);
    }

    private static @Nullable Worked work(List<String> run) {
        if (run.size() < 2) {
            return null;
        }
        var expression = new Expression(run);
        try {
            var value = expression.sum();
            boolean all = expression.at == run.size();
            return all && !expression.steps.isEmpty()
                    ? new Worked(written(run), value, List.copyOf(expression.steps))
                    : null;
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private static String written(List<String> run) {
        return String.join(" ", run).replace("( ", "(").replace(" )", ")").replace("√ ", "√");
    }

    private Rational sum() {
        var left = product();
        while (at < pieces.size() && (peek("+") || peek("-"))) {
            boolean plus = pieces.get(at++).equals("+");
            var right = product();
            left = step(left, plus ? "+" : "-", right, plus ? left.plus(right) : left.minus(right));
        }
        return left;
    }

    private Rational product() {
        var left = power();
        while (at < pieces.size()) {
            if (peek("*") || peek("/")) {
                boolean times = pieces.get(at++).equals("*");
                var right = power();
                left = step(left, times ? "*" : "/", right, times ? left.times(right) : left.by(right));
            } else if (peek("%")) {
                at++;
                left = percentOrRemainder(left);
            } else {
                break;
            }
        }
        return left;
    }

    private Rational percentOrRemainder(Rational left) {
        boolean operand =
                at < pieces.size() && (Character.isDigit(pieces.get(at).charAt(0)) || peek("("));
        if (operand) {
            var right = power();
            return step(left, "%", right, left.modulo(right));
        }
        var hundred = Rational.of(100);
        return step(left, "/", hundred, left.by(hundred));
    }

    private Rational power() {
        if (peek("-")) {
            at++;
            return power().negate();
        }
        var base = operand();
        if (peek("^")) {
            at++;
            var exponent = power();
            return step(base, "^", exponent, base.power(exponent));
        }
        return base;
    }

    private Rational operand() {
        if (at >= pieces.size()) {
            throw new ArithmeticException("the expression is cut");
        }
        var piece = pieces.get(at++);
        if (piece.equals("(")) {
            var inner = sum();
            if (!peek(")")) {
                throw new ArithmeticException("a parenthesis is open");
            }
            at++;
            return inner;
        }
        if (piece.equals("√")) {
            var square = operand();
            var root =
                    new Rational(square.numerator().sqrt(), square.denominator().sqrt());
            if (root.times(root).compare(square) != 0) {
                throw new ArithmeticException("the root is not rational");
            }
            steps.add("√" + square.text() + " = " + root.text() + ".");
            return root;
        }
        if (!Character.isDigit(piece.charAt(0))) {
            throw new ArithmeticException("a number is missing");
        }
        return Rational.of(new BigDecimal(piece));
    }

    private Rational step(Rational left, String sign, Rational right, Rational result) {
        steps.add(left.text() + " " + sign + " " + right.text() + " = " + result.text() + ".");
        return result;
    }

    private boolean peek(String sign) {
        return at < pieces.size() && pieces.get(at).equals(sign);
    }
}
