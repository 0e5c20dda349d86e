package dev.counterpoint.summarizer.redact;

import dev.counterpoint.summarizer.redact.TokenClassifier.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds secrets that only several tokens together give away: numbers in groups, spelt-out codes, names of people,
/// dates.
final class TokenRuns {
    private static final int LONG_NUMBER = 7;
    private static final int HALF_NUMBER = 5;
    private static final int SPELT_MAX = 2;
    /// Digits one by one; a longer list of them is a number in disguise.
    private static final int SINGLES_MAX = 6;
    private static final Set<String> SPELLING = Set.of(
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "dash",
            "dot",
            "hyphen",
            "underscore",
            "slash",
            "alpha",
            "bravo",
            "charlie",
            "delta",
            "echo",
            "foxtrot",
            "golf",
            "hotel",
            "india",
            "juliett",
            "juliet",
            "kilo",
            "lima",
            "mike",
            "november",
            "oscar",
            "papa",
            "quebec",
            "romeo",
            "sierra",
            "tango",
            "uniform",
            "victor",
            "whiskey",
            "xray",
            "x-ray",
            "yankee",
            "zulu",
            "alfa");
    private static final Set<String> MONTHS = Set.of(
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
            "jan",
            "feb",
            "mar",
            "apr",
            "jun",
            "jul",
            "aug",
            "sep",
            "sept",
            "oct",
            "nov",
            "dec");

    private final List<TextToken> tokens;
    private final List<Kind> kinds;
    private final UserWords user;

    TokenRuns(List<TextToken> tokens, List<Kind> kinds, UserWords user) {
        this.tokens = tokens;
        this.kinds = kinds;
        this.user = user;
    }

    boolean exposing() {
        int spelt = 0;
        int letters = 0;
        int singles = 0;
        if (halves()) {
            return true;
        }
        for (int i = 0; i < tokens.size(); i++) {
            if (isGap(i)) {
                continue;
            }
            var word = lower(i);
            boolean letter = word.length() == 1 && Character.isLetter(word.charAt(0));
            spelt = SPELLING.contains(word) ? spelt + 1 : 0;
            letters = letter && !(singles == 0 && (core(i).equals("I") || word.equals("a"))) ? letters + 1 : 0;
            boolean single = letter || word.length() == 1 && PlainNumbers.isDigit(word.charAt(0));
            singles = single ? singles + 1 : 0;
            boolean code = letters > 1 || singles > 2 && letters > 0 || singles > SINGLES_MAX;
            if (spelt > SPELT_MAX || code || longNumber(i) || numbers(i) || person(i) || date(i)) {
                return true;
            }
        }
        return false;
    }

    /// Two long numbers without grouping that nothing computes: a longer one that was cut.
    private boolean halves() {
        int long_ = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (isOperator(i) || kinds.get(i) == Kind.FORMULA) {
                return false;
            }
            boolean plain = kinds.get(i) == Kind.NUMBER && PlainNumbers.digits(core(i)) == core(i).length();
            long_ += plain && core(i).length() >= HALF_NUMBER && !user.said(core(i)) ? 1 : 0;
        }
        return long_ > 1;
    }

    /// Signs between the characters of a code do not part them; an equals sign does.
    private boolean isGap(int at) {
        return kinds.get(at) == Kind.PUNCTUATION && core(at).indexOf('=') < 0;
    }

    private boolean longNumber(int at) {
        var core = core(at);
        if (kinds.get(at) == Kind.FORMULA) {
            return longestDigitRun(core) > LONG_NUMBER + 1 && !user.said(core);
        }
        boolean long_ = kinds.get(at) == Kind.NUMBER && PlainNumbers.digits(core) >= LONG_NUMBER;
        return long_ && !user.said(core) && core.indexOf(',') < 0 && !inSum(at);
    }

    private static int longestDigitRun(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = PlainNumbers.isDigit(text.charAt(i)) ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    /// True if an operator joins the number to another number.
    private boolean inSum(int at) {
        return isOperator(at - 1) && isFigure(at - 2) || isOperator(at + 1) && isFigure(at + 2);
    }

    private boolean isOperator(int at) {
        return at >= 0
                && at < tokens.size()
                && Set.of("=", "+", "*", "×", "/", "÷").contains(core(at));
    }

    private boolean isFigure(int at) {
        return at >= 0 && at < tokens.size() && (kinds.get(at) == Kind.NUMBER || kinds.get(at) == Kind.FORMULA);
    }

    /// Card, phone and account numbers in groups, character codes, coordinates.
    private boolean numbers(int from) {
        if (kinds.get(from) != Kind.NUMBER) {
            return false;
        }
        int count = 0;
        int digits = 0;
        int unlisted = 0;
        boolean codes = true;
        boolean precise = true;
        boolean said = true;
        for (int at = from; at < tokens.size() && (isFigure(at) || isGap(at)); at++) {
            if (isGap(at)) {
                continue;
            }
            var core = core(at);
            count++;
            digits += PlainNumbers.digits(core);
            codes &= PlainNumbers.digits(core) == core.length() && core.length() <= 3 && between(core);
            precise &= core.length() - core.indexOf('.') > 3 && core.indexOf('.') > 0;
            said &= user.said(core);
            boolean last = !isFigure(at + 1);
            unlisted += !last && !tokens.get(at).endsClause() ? 1 : 0;
        }
        boolean grouped = unlisted > 0 && (digits >= LONG_NUMBER || count > 2);
        return count > 1 && !said && (grouped || precise || codes && count > 3);
    }

    private static boolean between(String number) {
        int value = Integer.parseInt(number);
        return value >= 32 && value <= 126;
    }

    /// Two capitalised words in a row that the user did not say, unless neither can name a person.
    private boolean person(int at) {
        if (at + 1 >= tokens.size()
                || !capitalised(at)
                || !capitalised(at + 1)
                || tokens.get(at).endsClause()) {
            return false;
        }
        return !(everyday(at) && everyday(at + 1));
    }

    private boolean capitalised(int at) {
        var core = core(at);
        boolean shape =
                core.length() > 1 && Character.isUpperCase(core.charAt(0)) && Character.isLowerCase(core.charAt(1));
        return shape && kinds.get(at) != Kind.FORMULA && !user.said(core);
    }

    /// A public name, or the opening word of the sentence, which is capitalised whatever it is.
    private boolean everyday(int at) {
        return TokenClassifier.isPublicName(core(at)) || at == 0 && kinds.get(at) == Kind.WORD;
    }

    /// A day with month and year.
    private boolean date(int at) {
        if (!MONTHS.contains(lower(at)) || user.said(core(at))) {
            return false;
        }
        boolean day = isFigure(at - 1) || isFigure(at + 1);
        boolean year = isYear(at + 1) || isYear(at + 2);
        return day && year && (isFigure(at - 1) || isYear(at + 2));
    }

    private boolean isYear(int at) {
        return isFigure(at) && core(at).length() == 4;
    }

    private String core(int at) {
        return tokens.get(at).core();
    }

    private String lower(int at) {
        return core(at).toLowerCase(Locale.ROOT);
    }
}
