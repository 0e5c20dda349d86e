package dev.counterpoint.summarizer.redact;

import dev.counterpoint.summarizer.redact.Wording.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Finds what only several tokens together give away: numbers in groups, spelt-out codes, names of people, dates.
final class Runs {
    private static final int LONG_NUMBER = 7;
    private static final int SPELT_MAX = 2;
    private static final int PAIR_RANK = 20_000;
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

    private final List<Token> tokens;
    private final List<Kind> kinds;
    private final UserWords user;

    Runs(List<Token> tokens, List<Kind> kinds, UserWords user) {
        this.tokens = tokens;
        this.kinds = kinds;
        this.user = user;
    }

    boolean exposing() {
        int spelt = 0;
        int letters = 0;
        for (int i = 0; i < tokens.size(); i++) {
            var word = lower(i);
            spelt = SPELLING.contains(word) ? spelt + 1 : 0;
            boolean letter = word.length() == 1
                    && Character.isLetter(word.charAt(0))
                    && !core(i).equals("I")
                    && !core(i).equals("a");
            letters = letter ? letters + 1 : 0;
            if (spelt > SPELT_MAX || letters > 1 || longNumber(i) || numbers(i) || person(i) || date(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean longNumber(int at) {
        var core = core(at);
        if (kinds.get(at) == Kind.FORMULA) {
            return longestDigitRun(core) > LONG_NUMBER + 1 && !user.said(core);
        }
        boolean long_ = kinds.get(at) == Kind.NUMBER && Numbers.digits(core) >= LONG_NUMBER;
        return long_ && !user.said(core) && core.indexOf(',') < 0 && !inSum(at);
    }

    private static int longestDigitRun(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = Numbers.isDigit(text.charAt(i)) ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    /// Whether an operator joins the number to another number.
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
        if (kinds.get(from) != Kind.NUMBER || from > 0 && kinds.get(from - 1) == Kind.NUMBER) {
            return false;
        }
        int count = 0;
        int digits = 0;
        int unlisted = 0;
        boolean codes = true;
        boolean precise = true;
        boolean said = true;
        int at = from;
        for (; at < tokens.size() && kinds.get(at) == Kind.NUMBER; at++) {
            var core = core(at);
            count++;
            digits += Numbers.digits(core);
            codes &= core.length() <= 3 && Numbers.digits(core) == core.length() && between(core);
            precise &= core.length() - core.indexOf('.') > 3 && core.indexOf('.') > 0;
            said &= user.said(core);
            boolean last = at + 1 == tokens.size() || kinds.get(at + 1) != Kind.NUMBER;
            unlisted += !last && !tokens.get(at).endsClause() ? 1 : 0;
        }
        boolean grouped = unlisted > 0 && (digits >= LONG_NUMBER || count > 2);
        return count > 1 && !said && (grouped || precise || codes && count > 3);
    }

    private static boolean between(String number) {
        int value = Integer.parseInt(number);
        return value >= 32 && value <= 126;
    }

    /// Two capitalised words in a row that the user did not say, unless both are everyday words.
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

    private boolean everyday(int at) {
        boolean opens = at == 0 && kinds.get(at) == Kind.WORD && kinds.get(1) != Kind.MARK;
        return opens && EnglishWords.rank(lower(at)) < PAIR_RANK && isPublic(1)
                || kinds.get(at) == Kind.NAME && EnglishWords.rank(lower(at)) < PAIR_RANK
                || isPublic(at);
    }

    private boolean isPublic(int at) {
        return kinds.get(at) == Kind.NAME && Wording.isPublicName(core(at))
                || kinds.get(at) == Kind.NAME && EnglishWords.rank(lower(at)) < PAIR_RANK;
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
