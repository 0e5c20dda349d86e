package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.simulated.SkillAnswer.Skill;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Works out the arithmetic of a question, written in signs or in words, step by step.
final class ArithmeticSkill implements Skill {
    private static final Pattern ASKED =
            Pattern.compile("(?i)what|how (?:much|many)|calculate|compute|evaluate|solve|work out|tell me|[=?]");
    private static final Pattern NO_ARITHMETIC =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}|[\\w.+-]{1,64}+@|\\d{1,2}:\\d{2}");
    private static final Pattern PIECE = Pattern.compile(
            "\\d{1,3}(?:,\\d{3}){1,4}(?:\\.\\d{1,9})?|\\d{1,20}(?:\\.\\d{1,9})?|\\p{L}[\\p{L}'-]{0,40}+|\\S");
    /// Words and signs, each with the sign that it stands for.
    private static final String[] SIGNS = {
        "multiplied by>*",
        "divided by>/",
        "to the power of>^",
        "percent of>/ 100 *",
        "% of>/ 100 *",
        "squared>^ 2",
        " plus > + ",
        " minus > - ",
        " times > * ",
        " x > * ",
        "×>*",
        "÷>/",
        "−>-"
    };
    private static final int PIECES_MAX = 100;
    private static final int DEPTH_MAX = 20;
    private static final int DIGITS_MAX = 60;
    private static final int EXPONENT_MAX = 64;

    /// @param text of the expression, in signs
    /// @param value null where a divisor is zero
    /// @param steps one line for each operation
    record Worked(String text, @Nullable BigDecimal value, List<String> steps, boolean exact) {}

    @Override
    public @Nullable SkillAnswer answer(PromptContent prompt) {
        var question = prompt.question();
        var worked = work(question);
        if (worked == null) {
            return null;
        }
        boolean bare = PromptWords.all(question).size() <= 2 * worked.steps().size() + 3;
        if (!bare && !ASKED.matcher(question).find()) {
            return null;
        }
        var value = worked.value();
        if (value == null) {
            return SkillAnswer.say("The divisor is zero.", "Division by zero has no result.");
        }
        var thoughts = new ArrayList<>(List.of("This is arithmetic: " + worked.text() + "."));
        thoughts.addAll(worked.steps());
        var result = value.toPlainString();
        var equation = worked.text() + (worked.exact() ? " = " : " is about ") + result + ".";
        var text = prompt.pick(
                equation,
                "The result is " + result + ": " + equation,
                "It comes to " + result + ", because " + equation);
        return SkillAnswer.say(thoughts, text, result);
    }

    /// The longest expression of a text that has an operation; null when there is none.
    static @Nullable Worked work(String text) {
        var signs = " " + PromptWords.lower(NO_ARITHMETIC.matcher(text).replaceAll(" ; ")) + " ;";
        for (var sign : SIGNS) {
            signs = signs.replace(sign.split(">", 2)[0], sign.split(">", 2)[1]);
        }
        Worked best = null;
        var run = new ArrayList<String>();
        for (var written : PromptWords.found(PIECE, signs)) {
            var number = PromptWords.number(written);
            if ((number != null || "+-*/^()".contains(written)) && run.size() < PIECES_MAX) {
                run.add(number == null ? written : number.toPlainString());
                continue;
            }
            var worked = new Evaluation(run).work();
            int longest = best == null ? 0 : best.text().length();
            best = worked != null && worked.text().length() > longest ? worked : best;
            run.clear();
        }
        return best;
    }

    /// One evaluation of an expression, by recursive descent of bounded depth.
    private static final class Evaluation {
        private final List<String> pieces;
        private final List<String> steps = new ArrayList<>();
        private int at;
        private boolean exact = true;
        private boolean byZero;

        /// Signs that begin or end the run belong to the text around the expression.
        Evaluation(List<String> run) {
            var text = String.join(" ", run).replaceFirst("^(?:[+*/^)] ?){1,100}", "");
            pieces = List.of(text.replaceFirst("(?: ?[-+*/^(]){1,100}$", "").split(" ", -1));
        }

        @Nullable
        Worked work() {
            var value = value(0, 0);
            if (!byZero && (value == null || at < pieces.size() || steps.isEmpty())) {
                return null;
            }
            var text = String.join(" ", pieces).replace("( ", "(").replace(" )", ")");
            return new Worked(text, byZero ? null : value, steps, exact);
        }

        private static int rank(String sign) {
            return switch (sign) {
                case "+", "-" -> 1;
                case "*", "/" -> 2;
                case "^" -> 3;
                default -> 0;
            };
        }

        /// The value of what follows, as far as its signs bind more strongly than a rank.
        private @Nullable BigDecimal value(int rank, int depth) {
            var value = operand(depth);
            while (value != null && at < pieces.size() && rank(pieces.get(at)) > rank) {
                var sign = pieces.get(at++);
                var right = value(rank(sign), depth + 1);
                value = right == null ? null : applied(value, sign, right);
            }
            return value;
        }

        private @Nullable BigDecimal operand(int depth) {
            if (at == pieces.size() || depth > DEPTH_MAX) {
                return null;
            }
            var piece = pieces.get(at++);
            if (piece.equals("-")) {
                var value = operand(depth + 1);
                return value == null ? null : value.negate();
            }
            if (!piece.equals("(")) {
                return PromptWords.number(piece);
            }
            var value = value(0, depth + 1);
            return at < pieces.size() && pieces.get(at++).equals(")") ? value : null;
        }

        private @Nullable BigDecimal applied(BigDecimal left, String sign, BigDecimal right) {
            byZero |= sign.equals("/") && right.signum() == 0;
            boolean power = right.signum() >= 0 && right.scale() <= 0 && right.precision() <= 2;
            if (byZero || sign.equals("^") && (!power || right.intValueExact() > EXPONENT_MAX)) {
                return null;
            }
            var result = switch (sign) {
                case "+" -> left.add(right);
                case "-" -> left.subtract(right);
                case "*" -> left.multiply(right);
                case "/" -> divided(left, right);
                default -> left.pow(right.intValueExact(), new MathContext(DIGITS_MAX + 1));
            };
            if (result.precision() > DIGITS_MAX || Math.abs(result.scale()) > DIGITS_MAX) {
                return null;
            }
            var plain = result.signum() == 0
                    ? BigDecimal.ZERO
                    : new BigDecimal(result.stripTrailingZeros().toPlainString());
            steps.add(left.toPlainString() + " " + sign + " " + right.toPlainString() + " = " + plain.toPlainString()
                    + ".");
            return plain;
        }

        private BigDecimal divided(BigDecimal left, BigDecimal right) {
            var quotient = left.divide(right, DIGITS_MAX / 2, RoundingMode.HALF_EVEN);
            exact &= quotient.multiply(right).compareTo(left) == 0;
            return exact ? quotient : quotient.setScale(6, RoundingMode.HALF_EVEN);
        }
    }
}
