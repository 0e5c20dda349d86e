package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Sums, percentages, linear equations and small stories with numbers; exact, with every step.
final class Arithmetic implements Skill {
    private static final Pattern ASKED =
            Pattern.compile("(?i)what(?:'s| is| are|’s)|how (?:much|many)|calculate|compute"
                    + "|evaluate|solve|work out|result|total|answer|tell me|add|=|\\?");
    private static final Pattern LINEAR =
            Pattern.compile("(-?\\d*(?:\\.\\d+)?)\\s*\\*?\\s*([a-z])\\s*(?:([+−-])\\s*(\\d+"
                    + "(?:\\.\\d+)?))?\\s*=\\s*(-?\\d+(?:\\.\\d+)?)(?![\\d.]*\\s*[*/+x-])");
    private static final Pattern RANGE =
            Pattern.compile("(?i)(?:sum|add|total)\\b[^.?]*?\\bfrom (\\d{1,12}) (?:to|through|until) (\\d{1,12})");
    private static final Pattern AGGREGATE =
            Pattern.compile("(?i)\\b(sum|total|product|average|mean|difference)\\b(?: (?:of"
                    + "|between))?(?: the)?(?: numbers?| values?)?[: ]+((?:-?[\\w.]+"
                    + "(?:, ?(?:and )?| and )){1,50}-?[\\w.]*\\w)");
    private static final Pattern THAT = Pattern.compile("(?i)\\b(?:that|it|the (?:result|answer|sum|number))\\b");
    private static final Pattern BY_ZERO =
            Pattern.compile("(?i)\\d\\s*(?:/|÷|divided by|over)\\s*(?:0(?![\\d.])|zero)");
    private static final Pattern STORY_ASKED = Pattern.compile("(?i)how (?:many|much|far|long)\\b[^.?]*\\?");
    private static final Pattern LESS =
            Pattern.compile("(?i)\\b(?:gives?|gave|eats?|ate|loses?|lost|sells?|sold|spends?"
                    + "|spent|uses?|used|breaks?|broke|takes? away|minus|fewer|less"
                    + "|leaves?|left the|removes?|donates?)\\b");
    private static final Pattern MORE =
            Pattern.compile("(?i)\\b(?:buys?|bought|gets?|got|gains?|receives?|received|finds?"
                    + "|found|adds?|added|more|another|plus|joins?|picks?|earns?|wins?"
                    + "|altogether|together|total)\\b");
    private static final Pattern EACH = Pattern.compile("(?i)\\b(?:each|every|per|apiece)\\b|km/h|mph");

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question();
        var equation = linear(question);
        if (equation != null) {
            return equation;
        }
        var aggregate = aggregate(question);
        if (aggregate != null) {
            return aggregate;
        }
        var worked = Expression.find(question);
        boolean bare = worked != null
                && Words.all(question).size() <= 2 * worked.steps().size() + 3;
        if (worked != null && (bare || ASKED.matcher(question).find())) {
            return said(percent(question, worked.text()), worked.value(), worked.steps(), situation.wording());
        }
        var carried = worked == null ? carriedOn(situation) : null;
        if (carried != null) {
            return carried;
        }
        if (worked == null && BY_ZERO.matcher(question).find()) {
            return Answer.say(List.of("The divisor is zero."), "Division by zero has no result.", "undefined");
        }
        return story(question, situation.wording());
    }

    /// `Now multiply that by 3`: that is the last number of my last answer.
    private static @Nullable Answer carriedOn(Situation situation) {
        var answers = situation.earlierAnswers();
        var numbers = answers.isEmpty()
                ? List.<BigDecimal>of()
                : FactFinder.find(answers.getLast()).numbers();
        if (numbers.isEmpty() || !THAT.matcher(situation.question()).find()) {
            return null;
        }
        var question =
                THAT.matcher(situation.question()).replaceAll(numbers.getLast().toPlainString());
        var worked = Expression.find(question);
        return worked == null ? null : said(worked.text(), worked.value(), worked.steps(), situation.wording());
    }

    /// A percentage is said as it was asked.
    private static String percent(String question, String worked) {
        return question.contains("%") || question.contains("percent") ? worked.replace(" / 100 * ", "% of ") : worked;
    }

    private static Answer said(String asked, Rational value, List<String> steps, Wording wording) {
        var thoughts = new ArrayList<String>();
        thoughts.add("This is arithmetic: " + asked + ".");
        thoughts.addAll(steps);
        var result = value.text();
        var exactly = value.isTerminating() ? "" : ", which is about " + value.approximately();
        var text = wording.pick(
                asked + " = " + result + exactly + ".",
                "The result is " + result + exactly + ": " + asked + " = " + result + ".",
                "It comes to " + result + exactly + ", because " + asked + " = " + result + ".");
        return Answer.say(thoughts, text, result);
    }

    private static @Nullable Answer linear(String question) {
        var match = LINEAR.matcher(question);
        if (!match.find()) {
            return null;
        }
        var factor = coefficient(match.group(1));
        var shift = match.group(4) == null ? Rational.of(0) : Rational.of(new BigDecimal(match.group(4)));
        shift = "+".equals(match.group(3)) ? shift : shift.negate();
        var right = Rational.of(new BigDecimal(match.group(5)));
        if (factor.numerator().signum() == 0) {
            return null;
        }
        var name = match.group(2);
        var moved = right.minus(shift);
        var solution = moved.by(factor);
        var steps = new ArrayList<String>();
        steps.add("The equation is " + match.group().strip() + ".");
        if (shift.numerator().signum() != 0) {
            steps.add((shift.numerator().signum() > 0 ? "Subtract " : "Add ")
                    + new Rational(shift.numerator().abs(), shift.denominator()).text() + " on both sides: "
                    + factor.text() + name + " = " + moved.text() + ".");
        }
        steps.add("Divide both sides by " + factor.text() + ": " + name + " = " + solution.text() + ".");
        var about = solution.isTerminating() ? "" : ", which is about " + solution.approximately();
        return Answer.say(
                steps,
                "The solution is " + name + " = " + solution.text() + about + ". "
                        + String.join(" ", steps.subList(1, steps.size())),
                name + " = " + solution.text());
    }

    private static Rational coefficient(String written) {
        return switch (written) {
            case "" -> Rational.of(1);
            case "-" -> Rational.of(-1);
            default -> Rational.of(new BigDecimal(written));
        };
    }

    private static @Nullable Answer aggregate(String question) {
        var range = RANGE.matcher(question);
        if (range.find()) {
            return sumOfRange(range);
        }
        var match = AGGREGATE.matcher(question);
        if (!match.find()) {
            return null;
        }
        var numbers = new ArrayList<Rational>();
        for (var part : FactFinder.split(match.group(2))) {
            var number = Words.number(part.replaceFirst("^-", ""));
            if (number == null) {
                return null;
            }
            numbers.add(Rational.of(part.startsWith("-") ? number.negate() : number));
        }
        if (numbers.size() < 2) {
            return null;
        }
        var kind = Words.lower(match.group(1));
        var sign = switch (kind) {
            case "product" -> " * ";
            case "difference" -> " - ";
            default -> " + ";
        };
        var value = numbers.getFirst();
        for (var number : numbers.subList(1, numbers.size())) {
            value = switch (kind) {
                case "product" -> value.times(number);
                case "difference" -> value.minus(number);
                default -> value.plus(number);
            };
        }
        var steps = new ArrayList<String>();
        steps.add(String.join(sign, numbers.stream().map(Rational::text).toList()) + " = " + value.text() + ".");
        if (kind.equals("average") || kind.equals("mean")) {
            var count = Rational.of(numbers.size());
            steps.add(value.text() + " / " + count.text() + " = "
                    + value.by(count).text() + ".");
            value = value.by(count);
        }
        var listed = Words.join(numbers.stream().map(Rational::text).toList());
        var about = value.isTerminating() ? "" : ", about " + value.approximately();
        return Answer.say(steps, "The " + kind + " of " + listed + " is " + value.text() + about + ".", value.text());
    }

    private static Answer sumOfRange(Matcher range) {
        var first = Rational.of(new BigDecimal(range.group(1)));
        var last = Rational.of(new BigDecimal(range.group(2)));
        var count = last.minus(first).plus(Rational.of(1));
        var sum = first.plus(last).times(count).by(Rational.of(2));
        var steps = List.of(
                "There are " + count.text() + " numbers from " + first.text() + " to " + last.text() + ".",
                "Their sum is (" + first.text() + " + " + last.text() + ") * " + count.text() + " / 2 = " + sum.text()
                        + ".");
        return Answer.say(
                steps,
                "The sum of the numbers from " + first.text() + " to " + last.text() + " is " + sum.text() + ".",
                sum.text());
    }

    /// `Tom has 3 apples, buys 4 more and eats 2. How many are left?`
    private static @Nullable Answer story(String question, Wording wording) {
        var asked = STORY_ASKED.matcher(question);
        if (!asked.find()) {
            return null;
        }
        var told = question.substring(0, asked.start()) + question.substring(asked.end());
        Rational total = null;
        var steps = new ArrayList<String>();
        var written = new StringBuilder();
        for (var clause : told.split("[.;,!?\\n]| and | then | but ", -1)) {
            for (var number : FactFinder.find(clause).numbers()) {
                var value = Rational.of(number);
                if (total == null) {
                    total = value;
                    written.append(value.text());
                    continue;
                }
                var sign = EACH.matcher(clause).find() || (EACH.matcher(told).find() && steps.isEmpty())
                        ? "*"
                        : LESS.matcher(clause).find()
                                ? "-"
                                : MORE.matcher(clause + asked.group()).find() ? "+" : "";
                if (sign.isEmpty()) {
                    return null;
                }
                var result = sign.equals("*")
                        ? total.times(value)
                        : sign.equals("-") ? total.minus(value) : total.plus(value);
                steps.add(total.text() + " " + sign + " " + value.text() + " = " + result.text() + ".");
                written.append(' ').append(sign).append(' ').append(value.text());
                total = result;
            }
        }
        return total == null || steps.isEmpty() ? null : said(written.toString(), total, steps, wording);
    }
}
