package dev.counterpoint.summarizer.redact;

import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;

/// Plain numbers and small formulas, told from card, phone, register and tax numbers by their shape.
final class PlainNumbers {
    private static final int DIGITS_MAX = 15;
    private static final int FORMULA_LENGTH = 40;
    private static final String OPERATORS = "*+×÷^=<>()≤≥√π²³±·%";
    private static final Set<String> UNITS = WordList.words(PlainNumbers.class, "units");
    private static final Set<String> FUNCTIONS =
            Set.of("sin", "cos", "tan", "log", "ln", "sqrt", "mod", "max", "min", "exp");

    private PlainNumbers() {}

    /// Digits with an optional sign or currency, grouping, decimals and unit: `-3.5%`, `1,920`, `£12`, `10:30`, `1st`.
    static boolean isNumber(String core) {
        int at = 0;
        while (at < core.length() && at < 2 && "+-~≈$€£±<>=".indexOf(core.charAt(at)) >= 0) {
            at++;
        }
        int end = at;
        while (end < core.length() && (isDigit(core.charAt(end)) || ".,:".indexOf(core.charAt(end)) >= 0)) {
            end++;
        }
        if (end == at || !isDigit(core.charAt(at)) || !isDigit(core.charAt(end - 1))) {
            return false;
        }
        var unit = core.substring(end).toLowerCase(Locale.ROOT);
        return (unit.isEmpty() || UNITS.contains(unit)) && isPlain(core.substring(at, end));
    }

    private static boolean isPlain(String number) {
        int colon = number.indexOf(':');
        if (colon >= 0) {
            return number.length() <= 5
                    && colon <= 2
                    && number.length() - colon <= 3
                    && digits(number) == number.length() - 1;
        }
        boolean leadingZero = number.length() > 1 && number.charAt(0) == '0' && number.charAt(1) != '.';
        var groups = number.split("[.,]", -1);
        int dots = number.replaceAll("[^.]", "").length();
        boolean empty = false;
        for (var group : groups) {
            empty |= group.isEmpty();
        }
        return !leadingZero && !empty && dots <= 2 && digits(number) <= DIGITS_MAX && groups.length <= 5;
    }

    /// Digits, operators and a few one-letter names: `24*80`, `n(n-1)/2`, `x^2`, `1/36`.
    static boolean isFormula(String core) {
        if (core.isEmpty()
                || core.length() > FORMULA_LENGTH
                || "+*/^=<-.,".indexOf(core.charAt(core.length() - 1)) >= 0) {
            return false;
        }
        int operators = 0;
        int links = 0;
        int letters = 0;
        int run;
        for (int i = 0; i < core.length(); i += run) {
            run = 1;
            char c = core.charAt(i);
            if (isAsciiLetter(c)) {
                run = run(core, i, PlainNumbers::isAsciiLetter);
                if (run > 1 && !FUNCTIONS.contains(core.substring(i, i + run)) || Character.isUpperCase(c)) {
                    return false;
                }
                letters++;
            } else if (isDigit(c)) {
                run = run(core, i, d -> isDigit(d) || d == '.' || d == ',');
                boolean index = i > 0 && isAsciiLetter(core.charAt(i - 1));
                if (!isPlain(core.substring(i, i + run)) || index && run > 1) {
                    return false;
                }
            } else if (OPERATORS.indexOf(c) >= 0 && !(c == '<' && opensTag(core, i))) {
                operators++;
            } else if (c == '-' || c == '/') {
                links++;
            } else {
                return false;
            }
        }
        boolean sized = letters <= 4 && (digits(core) > 0 || operators > 0) && digits(core) <= DIGITS_MAX;
        // 5x and x2, but not 7b2
        boolean atEdge = isAsciiLetter(core.charAt(0)) || isAsciiLetter(core.charAt(core.length() - 1));
        boolean factor = links == 0 && letters == 1 && atEdge && core.length() <= 4;
        return sized && (operators > 0 || factor || links == 1 && isPair(core));
    }

    private static int run(String text, int from, IntPredicate of) {
        int end = from;
        while (end < text.length() && of.test(text.charAt(end))) {
            end++;
        }
        return end - from;
    }

    private static boolean opensTag(String core, int at) {
        return at + 1 < core.length() && (isAsciiLetter(core.charAt(at + 1)) || core.charAt(at + 1) == '/');
    }

    /// `1/36`, `10-20`, `n/2`; not `555-0142`, `12/1987` or `242-31-6111`.
    private static boolean isPair(String core) {
        int link = Math.max(core.indexOf('-'), core.indexOf('/'));
        var left = core.substring(0, link);
        var right = core.substring(link + 1);
        if (left.isEmpty() || right.isEmpty() || leadingZero(left) || leadingZero(right)) {
            return false;
        }
        if (core.charAt(link) == '-') {
            return left.length() == right.length() && left.length() <= 4 || left.length() <= 2 && right.length() <= 3;
        }
        return left.length() <= 4 && right.length() <= 4 && left.length() + right.length() <= 7;
    }

    private static boolean leadingZero(String number) {
        return number.length() > 1 && number.charAt(0) == '0' && number.charAt(1) != '.';
    }

    static int digits(String text) {
        int digits = 0;
        for (int i = 0; i < text.length(); i++) {
            digits += isDigit(text.charAt(i)) ? 1 : 0;
        }
        return digits;
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isAsciiLetter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
