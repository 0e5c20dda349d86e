package dev.counterpoint.summarizer.judge;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Words as the judge compares them: in lower case, without accents, runs of Latin letters and digits.
final class Words {
    private static final Pattern WORD = Pattern.compile("[\\p{IsLatin}\\p{Nd}]+");
    private static final Pattern MARKS = Pattern.compile("\\p{M}+");
    private static final int STEM = 6;

    private Words() {}

    static List<String> of(String text) {
        return WORD.matcher(folded(text)).results().map(MatchResult::group).toList();
    }

    static String folded(String text) {
        var lower = text.toLowerCase(Locale.ROOT).replace("ß", "ss");
        return MARKS.matcher(Normalizer.normalize(lower, Normalizer.Form.NFKD)).replaceAll("");
    }

    /// The same for most forms of a word.
    static String stem(String word) {
        var bare = word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
        return bare.substring(0, Math.min(STEM, bare.length()));
    }

    /// True for a character that can be part of a word, or of a letter in it.
    static boolean isPart(char c) {
        return Character.isLetterOrDigit(c)
                || Character.isSurrogate(c)
                || Character.getType(c) == Character.NON_SPACING_MARK;
    }
}
